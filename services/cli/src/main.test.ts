import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const MAIN = join(import.meta.dirname, '..', 'dist', 'main.js');

let folder: string;
let large: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'preflight-'));
  large = join(folder, 'large.json');
  const messages = Array.from({ length: 5000 }, (_, i) => ({ role: 'user', content: `message ${i % 10}` }));
  await writeFile(large, JSON.stringify({ model: 'gpt-4o', messages }));
});
afterAll(() => rm(folder, { recursive: true }));

function start(argv: readonly string[], settings: Record<string, string> = {}) {
  const env = { PATH: process.env.PATH, PREFLIGHT_DATA_DIR: 'none', PREFLIGHT_THREADS: '1', ...settings };
  const child = spawn(process.execPath, [MAIN, ...argv], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text) => {
    stderr += text;
  });
  const ended = once(child, 'close').then(([code]) => ({ code: code as number, stderr }));
  return { child, ended };
}

describe('the output', () => {
  test('of an answer larger than any pipe is whole, however slowly it is read', async () => {
    const { child, ended } = start(['count', large, '--json']);
    let stdout = '';
    for await (const chunk of child.stdout.setEncoding('utf8')) {
      stdout += chunk;
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect((await ended).code).toBe(0);
    expect(stdout.length).toBeGreaterThan(300_000);
    expect(JSON.parse(stdout).messages).toHaveLength(5000);
  });

  test.each([['--json'], []])('ends quietly with a reader who has seen enough %s', async (...flags) => {
    const { child, ended } = start(['count', large, ...flags]);
    await once(child.stdout, 'data');
    child.stdout.destroy();
    expect(await ended).toEqual({ code: 0, stderr: '' });
  });

  test('that nobody reads at all ends quietly too', async () => {
    const { child, ended } = start(['count', large]);
    child.stdout.destroy();
    expect(await ended).toEqual({ code: 0, stderr: '' });
  });
});

describe('serve', () => {
  test('on an address that is taken says so and ends', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const address = taken.address() as { port: number };
    const { ended } = start(['serve', '--port', String(address.port)], { PREFLIGHT_LOG_LEVEL: 'silent' });
    const { code, stderr } = await ended;
    expect(code).toBe(69);
    expect(stderr).toMatch(new RegExp(`^preflight: cannot listen on 127.0.0.1, port ${address.port}: .*\n$`));
    taken.close();
  });
});

test('what is wrong is told without control characters', async () => {
  const { ended } = start(['fit', '\u001b[31mnone.json']);
  expect(await ended).toEqual({
    code: 66,
    stderr: expect.stringMatching(/^preflight: cannot read \uFFFD\[31m/),
  });
});

test('all wrong settings are told, one a line', async () => {
  const { ended } = start(['count', large], { PREFLIGHT_THREADS: 'x', PREFLIGHT_NONE: '1' });
  const { code, stderr } = await ended;
  expect(code).toBe(78);
  expect(stderr).toMatch(/\n {2}PREFLIGHT_NONE: unknown setting\n/);
  expect(stderr).toMatch(/\n {2}PREFLIGHT_THREADS: /);
});
