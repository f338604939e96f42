import { spawn } from 'node:child_process';
import { onTestFinished } from 'vitest';

/** Starts a program, killed when the test is over. The returned function gives what it wrote so far. */
export function startProcess(
  program: string,
  argv: readonly string[],
  settings: Record<string, string> = {},
): () => string {
  const child = spawn(program, argv, { env: { PATH: process.env.PATH, ...settings }, stdio: 'pipe' });
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
