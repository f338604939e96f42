import { spawn } from 'node:child_process';
import { onTestFinished } from 'vitest';
import { guarded } from './guarded-process.js';

/** Starts a program, killed when the test is over. The returned function gives what it wrote so far. */
export function startProcess(
  program: string,
  argv: readonly string[],
  settings: Record<string, string> = {},
): () => string {
  const env = { PATH: process.env.PATH, ...settings };
  const child = guarded(spawn(program, argv, { env, stdio: 'pipe' }));
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  const exited = new Promise((resolve) => child.once('close', resolve));
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await exited;
  });
  return () => output;
}
