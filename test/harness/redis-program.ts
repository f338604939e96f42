import { execFile } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const LOCK = join(tmpdir(), 'preflight-redis-install.lock');

const run = promisify(execFile);
const INSTALL = 'apt-get update && apt-get install -y --no-install-recommends redis-server';

/** One at a time: test files run in several processes, and a second installation beside the first would fail. */
const INSTALL_ONCE = `flock "$1" sh -c 'command -v redis-server || (${INSTALL})'`;

let found: Promise<string> | undefined;

/**
 * The Redis server program of this machine. Where there is none, Debian's package is installed if that is possible;
 * otherwise it throws with the one command to run.
 */
export function redisProgram(): Promise<string> {
  found ??= findOrInstall();
  return found;
}

async function findOrInstall(): Promise<string> {
  const program = await find();
  if (program !== undefined) return program;
  const failure = process.getuid?.() === 0 ? await install() : '';
  const installed = await find();
  if (installed !== undefined) return installed;
  throw new Error(`these tests need a Redis server; run:\n  sudo sh -c '${INSTALL}'${failure}`);
}

/** What went wrong, or nothing. */
function install(): Promise<string> {
  return run('sh', ['-c', INSTALL_ONCE, 'sh', LOCK]).then(
    () => '',
    (error: Error) => `\nTried, and failed: ${error.message}`,
  );
}

async function find(): Promise<string | undefined> {
  for (const program of ['redis-server', 'valkey-server']) {
    const works = await run(program, ['--version']).then(
      () => true,
      () => false,
    );
    if (works) return program;
  }
  return undefined;
}
