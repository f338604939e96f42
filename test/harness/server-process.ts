import { type ChildProcess, spawn } from 'node:child_process';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { guarded } from './guarded-process.js';
import { waitFor } from './wait-for.js';

export const MAIN = join(import.meta.dirname, '../../services/cli/dist/main.js');

export interface ServerProcess {
  readonly url: string;
  readonly child: ChildProcess;
  /** Everything it wrote so far. */
  output(): string;
  /** Exit code, once it has ended. */
  readonly exited: Promise<number | null>;
  /** Asks it to stop and waits until it has. */
  stop(): Promise<number | null>;
}

/** A real `preflight serve` on a free port, ready to answer; killed when the test is over. */
export async function startServer(
  settings: Record<string, string> = {},
  options: ServiceOptions = {},
): Promise<ServerProcess> {
  const { command = 'serve', atEnd = onTestFinished } = options;
  const { child, output, exited } = run([command, '--port', '0'], settings, atEnd);
  const address = await waitFor(
    () => {
      if (child.exitCode !== null) throw new Error(`the server ended: ${output()}`);
      return /"address":"([^"]+)"/.exec(output())?.[1];
    },
    { state: output },
  );
  const stop = () => {
    child.kill('SIGTERM');
    return exited;
  };
  return { url: address, child, output, exited, stop };
}

export interface ServiceOptions {
  /** Default `serve`. */
  readonly command?: 'serve' | 'api' | 'coordinator';
  /** When it is killed; default after the test, which must be running. */
  readonly atEnd?: (end: () => Promise<void>) => void;
}

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CommandOptions {
  readonly input?: string | Uint8Array;
  readonly settings?: Record<string, string>;
  /** A file to which it writes its output, as with `>>`; then `stdout` is empty. */
  readonly appendTo?: string;
}

/** The command, from start to end. */
export async function runCommand(
  argv: readonly string[],
  { input, settings = {}, appendTo }: CommandOptions = {},
): Promise<Ended> {
  const file = appendTo === undefined ? undefined : await open(appendTo, 'a');
  try {
    const { child, exited, stdout, stderr } = run(argv, settings, onTestFinished, file?.fd);
    child.stdin?.on('error', () => undefined).end(input);
    const code = await exited;
    return { code, stdout: stdout(), stderr: stderr() };
  } finally {
    await file?.close();
  }
}

function run(
  argv: readonly string[],
  settings: Record<string, string>,
  atEnd: NonNullable<ServiceOptions['atEnd']>,
  output: 'pipe' | number = 'pipe',
) {
  const env = { PATH: process.env.PATH, PREFLIGHT_DATA_DIR: 'none', ...settings };
  const child = guarded(spawn(process.execPath, [MAIN, ...argv], { env, stdio: ['pipe', output, 'pipe'] }));
  const texts = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name]?.setEncoding('utf8').on('data', (text: string) => {
      texts[name] += text;
    });
  const exited = new Promise<number | null>((resolve) => child.once('close', resolve));
  atEnd(async () => {
    child.kill('SIGKILL');
    await exited;
  });
  return {
    child,
    exited,
    stdout: () => texts.stdout,
    stderr: () => texts.stderr,
    output: () => texts.stdout + texts.stderr,
  };
}
