import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TextRange } from '@preflight/core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { InputError, readInput } from './read-input.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'preflight-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function read(content: string, options: { isRequest?: boolean; overrides?: object } = {}) {
  const path = join(folder, 'input.json');
  await writeFile(path, content);
  return readInput(path, { isRequest: false, overrides: {}, ...options } as Parameters<typeof readInput>[1]);
}

describe('a file holds', () => {
  test('a body, over which options are laid', async () => {
    const overrides = { model: 'b' };
    expect(await read('{"messages":[],"model":"a"}', { overrides })).toEqual({ messages: [], model: 'b' });
  });

  test('a list of messages', async () => {
    expect(await read('[{"role":"user"}]', { overrides: { model: 'b' } })).toEqual({
      messages: [{ role: 'user' }],
      model: 'b',
    });
  });

  test("the provider's request", async () => {
    expect(await read('{"model":"a"}', { isRequest: true })).toEqual({ request: { model: 'a' } });
  });

  test.each(['5', '"text"', 'null'])('%s, which is left to the schema', async (content) => {
    expect(await read(content)).toEqual(JSON.parse(content));
  });

  test('long texts as ranges', async () => {
    expect(await read(JSON.stringify({ text: 'x'.repeat(5000) }))).toEqual({ text: expect.any(TextRange) });
    expect(await read(JSON.stringify('x'.repeat(5000)))).toBeInstanceOf(TextRange);
  });

  test('what is no JSON', async () => {
    await expect(read('{')).rejects.toMatchObject({ code: 'invalid_json' });
  });
});

describe('cannot be read', () => {
  const options = { isRequest: false, overrides: {} };

  test('what is not there, or a folder', async () => {
    await expect(readInput(join(folder, 'none'), options)).rejects.toThrow(/cannot read .*none: ENOENT/);
    await expect(readInput(folder, options)).rejects.toThrow(/EISDIR/);
  });

  test('more than offsets can tell, before any of it is read', async () => {
    const path = join(folder, 'large.json');
    await writeFile(path, '');
    await truncate(path, 2 ** 30 + 1);
    const reading = readInput(path, options);
    await expect(reading).rejects.toThrow(InputError);
    await expect(reading).rejects.toThrow(/the limit is 1073741824/);
  });
});
