import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PUBLIC_VOCABULARIES, type PublicVocabulary } from '@preflight/models';
import { Tiktoken } from 'tiktoken';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { ofSize, rankData, trainedTokenizer } from '../../workers/tokenizer/src/testing/trained-tokenizer.js';
import { BOTH_WAYS, type Running } from '../harness/both-ways.js';
import { DistributedWorld } from '../harness/distributed.js';
import { get, post } from '../harness/http.js';
import { expectProblem } from '../harness/problems.js';
import { runCommand, startServer } from '../harness/server-process.js';

const tokenizer = trainedTokenizer('llama3');
const { ranks, pattern } = rankData(tokenizer);
const oracle = new Tiktoken(ranks, {}, pattern);
const tokensOf = (text: string) => oracle.encode_ordinary(text).length;

const MODEL = 'meta-llama/llama-3.1-8b-instruct';
const TEXT = 'It\'s 12,345 o\'clock: unreachable café {"key": [1, 22, 333]} 中文 \n\n'.repeat(40);

const folder = await mkdtemp(join(tmpdir(), 'preflight-test-'));
afterAll(() => rm(folder, { recursive: true }));
let files = 0;

async function fileOf(content: string): Promise<string> {
  const path = join(folder, `${++files}.json`);
  await writeFile(path, content);
  return path;
}

/** Settings by which MODEL is counted with the vocabulary. */
async function settingsWithOwn(): Promise<Record<string, string>> {
  const [path, models] = await Promise.all([
    fileOf(JSON.stringify(tokenizer)),
    fileOf(JSON.stringify({ models: [{ id: 'llama-3.1-8b-instruct', encoding: 'ours' }] })),
  ]);
  return { PREFLIGHT_TOKENIZERS: `ours=${path}`, PREFLIGHT_MODELS_FILE: models };
}

describe.each(BOTH_WAYS)('a vocabulary given by name, %s', (_, start) => {
  let running: Running;
  beforeAll(async () => {
    running = await start({ ...(await settingsWithOwn()), PREFLIGHT_THREADS: '2' });
  });

  test('counts its models exactly, small texts and large', async () => {
    for (const text of ['unreachable', TEXT, TEXT.repeat(200)]) {
      const { status, body } = await post(running.url, '/v1/count', { model: MODEL, text });
      expect(status).toBe(200);
      expect(body).toMatchObject({ tokens: tokensOf(text), encoding: 'ours', exact: true });
    }
  });

  test('is an encoding like any other', async () => {
    const { body } = await post(running.url, '/v1/count', { encoding: 'ours', text: TEXT });
    expect(body).toMatchObject({ tokens: tokensOf(TEXT), exact: true });
    const encodings = (await get(running.url, '/v1/encodings')).body as { encodings: { name: string }[] };
    expect(encodings.encodings.find(({ name }) => name === 'ours')).toMatchObject({
      engine: 'kernel',
      source: expect.stringMatching(/^tokenizer\.json, sha256:[0-9a-f]{64}$/),
    });
    const { body: model } = await get(running.url, `/v1/models/${MODEL}`);
    expect(model).toMatchObject({ encoding: 'ours', exact_encoding: true });
  });

  test('cuts to the token, by the recount', async () => {
    const messages = [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: TEXT },
      { role: 'user', content: 'And?' },
    ];
    const { status, body } = await post(running.url, '/v1/preflight', {
      ...{ model: MODEL, messages, format: 'openai-chat', count: 'content', strategy: 'truncate' },
      ...{ context_window: 1200, max_output_tokens: 300, buffer_tokens: 100, return: 'conversation' },
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({ outcome: 'truncated', encoding: 'ours', exact: true });
    const { conversation, tokens } = body as unknown as {
      conversation: { messages: { content: string }[] };
      tokens: { before: number; after: number; budget: number };
    };
    expect(tokens.before).toBe(messages.reduce((sum, { content }) => sum + tokensOf(content), 0));
    expect(tokens.after).toBe(conversation.messages.reduce((sum, { content }) => sum + tokensOf(content), 0));
    expect(tokens.after).toBeLessThanOrEqual(tokens.budget);
  });

  test('gives numbers of tokens, and no ids', async () => {
    const { status, body } = await post(running.url, '/tokenize', { model: MODEL, prompt: TEXT });
    expect([status, body.count]).toEqual([200, tokensOf(TEXT)]);
    const refused = await post(running.url, '/tokenize', { model: MODEL, prompt: 'a', return_tokens: true });
    expect(refused.status).toBe(400);
  });

  test('leaves other models as they were', async () => {
    const { body } = await post(running.url, '/v1/count', { model: 'qwen3-4b-instruct-2507', text: TEXT });
    expect(body).toMatchObject({ exact: false, encoding: 'o200k_base' });
  });
});

test('under a name that models are known by, a file of that size counts them', async () => {
  const known = PUBLIC_VOCABULARIES.find(({ name }) => name === 'llama3') as PublicVocabulary;
  const path = await fileOf(JSON.stringify(ofSize(tokenizer, known.facts)));
  const { url } = await startServer({ PREFLIGHT_TOKENIZERS: `llama3=${path}`, PREFLIGHT_THREADS: '1' });
  const { body } = await post(url, '/v1/count', { model: MODEL, text: TEXT });
  expect(body).toMatchObject({ tokens: tokensOf(TEXT), encoding: 'llama3', exact: true });
  const { encodings } = (await get(url, '/v1/encodings')).body as { encodings: { name: string }[] };
  expect(encodings.find(({ name }) => name === 'llama3')).toMatchObject({ licence: known.licence });
});

test('a coordinator without the vocabulary of the API says so, and counts nothing', async () => {
  const world = await DistributedWorld.start(onTestFinished);
  const [api] = await Promise.all([world.startApi(await settingsWithOwn()), world.startCoordinator()]);
  const answer = await post(api.url, '/v1/count', { model: MODEL, text: TEXT.repeat(50) });
  expectProblem(answer, 500, 'vocabulary_unavailable');
});

describe('the setting', () => {
  test.each([
    ['a file that is not there', 'llama3=/nowhere/tokenizer.json', /llama3=\S+: ENOENT/],
    ['a name with other characters', 'LLaMA=/nowhere', /a name has small letters/],
    ['a name without a package', 'ours', /has no package.*llama3, qwen3, tekken/],
    ['a package that is not installed', 'llama3', /the package @lenml\/tokenizer-llama3 is not installed/],
  ])('with %s ends the process before it starts', async (_, value, message) => {
    const { code, stderr } = await runCommand(['models'], { settings: { PREFLIGHT_TOKENIZERS: value } });
    expect([code, message.test(stderr)], stderr).toEqual([78, true]);
  });

  test.each([
    ['another pattern', 'qwen2', '/pre_tokenizer has the pattern of qwen2; llama3 has'],
    [
      'fewer tokens',
      'llama3',
      `/model/vocab has ${Object.keys(tokenizer.model.vocab).length} tokens beside special and added ones; llama3 has 128000`,
    ],
  ] as const)('refuses %s under a name that models are known by', async (_, family, fault) => {
    const path = await fileOf(JSON.stringify(trainedTokenizer(family)));
    const settings = { PREFLIGHT_TOKENIZERS: `llama3=${path}` };
    const { code, stderr } = await runCommand(['models'], { settings });
    expect([code, stderr.includes(fault)], stderr).toEqual([78, true]);
  });

  test('tells the place of every fault of a file', async () => {
    const path = await fileOf(JSON.stringify({ ...tokenizer, normalizer: { type: 'Lowercase' } }));
    const { code, stderr } = await runCommand(['models'], {
      settings: { PREFLIGHT_TOKENIZERS: `llama3=${path}` },
    });
    expect([code, stderr.includes(`PREFLIGHT_TOKENIZERS: llama3=${path}: /normalizer is`)], stderr).toEqual([
      78,
      true,
    ]);
  });
});
