import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);
const INSTALL = 'apt-get update && apt-get install -y --no-install-recommends redis-server';

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
  if (process.getuid?.() === 0) await run('sh', ['-c', INSTALL]).catch(() => {});
  const installed = await find();
  if (installed !== undefined) return installed;
  throw new Error(`these tests need a Redis server; run:\n  sudo sh -c '${INSTALL}'`);
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
