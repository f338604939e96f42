import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MAX_BODY_BYTES } from '@preflight/body';
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

  test.each([
    { model: 'gpt-4o', messages: [], temperature: 0 },
    { contents: [{ parts: [{ text: 'hi' }] }] },
    { contents: 'hi' },
    { model: 'gpt-5', input: [{ role: 'user', content: 'hi' }], max_output_tokens: 9 },
    { model: 'claude-opus-4-6', max_tokens: 9, system: 's', messages: [] },
    { system: [{ text: 's' }], messages: [{ role: 'user', content: [{ text: 'hi' }] }] },
  ])("the provider's request as it is: %j", async (request) => {
    const overrides = { model: 'b' };
    expect(await read(JSON.stringify(request), { overrides })).toEqual({ request, model: 'b' });
  });

  test.each([
    { messages: [], temperature: 0, strategy: 'trim' },
    { request: { messages: [], temperature: 0 } },
    { messages: [], strategi: 'trim' },
    { messages: [], max_output_tokens: 9 },
    { text: 'hi' },
    {},
  ])('a body of ours, whatever is wrong with it: %j', async (body) => {
    expect(await read(JSON.stringify(body))).toEqual(body);
  });

  test('the fields of a conversation, whose format the command line names', async () => {
    const body = { system: 's', messages: [] };
    const format = 'anthropic-messages';
    expect(await read(JSON.stringify(body), { overrides: { format } })).toEqual({ ...body, format });
    expect(await read(JSON.stringify(body))).toEqual({ request: body });
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
    await expect(readInput(join(folder, 'none'), options)).rejects.toThrow(
      /cannot read .*none: there is no such file/,
    );
    await expect(readInput(folder, options)).rejects.toThrow(/it is a folder/);
    await expect(readInput(folder, options)).rejects.toThrow(InputError);
  });
});

test('a file that is too large is refused with its figures before any of it is read', async () => {
  const path = join(folder, 'large.json');
  await writeFile(path, '');
  await truncate(path, MAX_BODY_BYTES + 1);
  await expect(readInput(path, { isRequest: false, overrides: {} })).rejects.toMatchObject({
    code: 'body_too_large',
    params: { limit_bytes: MAX_BODY_BYTES, size_bytes: MAX_BODY_BYTES + 1 },
  });
});

test('a named pipe is read to its end', async () => {
  const path = join(folder, 'pipe');
  execFileSync('mkfifo', [path]);
  const reading = readInput(path, { isRequest: false, overrides: {} });
  await writeFile(path, `{"text":"${'x'.repeat(200_000)}"}`);
  expect(await reading).toMatchObject({ text: { byteLength: 200_000 } });
});
