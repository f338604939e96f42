import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import Anthropic from '@anthropic-ai/sdk';
import { GoogleGenAI } from '@google/genai';
import { PreflightClient } from '@preflight/client';
import { loadCounter } from '@preflight/tokenizer';
import OpenAI from 'openai';
import { expect, it } from 'vitest';
import { startApi, startParts } from '../harness/in-process.js';

const readme = readFileSync('README.md', 'utf8');
const { answerer } = startParts();
const { url } = await startApi();

it('the README’s request gets the README’s answer', async () => {
  const body = JSON.parse(/-d '(\{[^']*\})'/.exec(readme)?.[1] ?? '');
  const shown = JSON.parse(/```json\n([^`]*)```/.exec(readme)?.[1] ?? '');
  const context = { instance: '/v1/preflight', requestId: 'readme', signal: new AbortController().signal };
  expect(await answerer.preflight(body, context)).toMatchObject({ status: 200, body: shown });
});

it.each([...readme.matchAll(/^npx preflight (.*?)(?: {2,}#.*)?$/gm)].map(([, line]) => line as string))(
  'the README’s command runs: npx preflight %s',
  async (line) => {
    const { stdout } = await promisify(execFile)('npx', ['--no-install', 'preflight', ...line.split(' ')], {
      env: { ...process.env, PREFLIGHT_DATA_DIR: 'none' },
      maxBuffer: 10_000_000,
    });
    expect(stdout).not.toBe('');
  },
);

it('the README’s commands are those with files of the repository', () => {
  expect(readme.match(/^npx preflight (fit|count) examples\//gm)).toHaveLength(3);
});

/** The value of code of the README, which may use `names`; addresses in it are those of the API here. */
async function resultOf(code: string, names: Record<string, unknown>): Promise<unknown> {
  const here = code.replaceAll('http://127.0.0.1:8787', url);
  return new Function(...Object.keys(names), `return (async () => { ${here} })()`)(...Object.values(names));
}

it.each([...readme.matchAll(/^new (?:Anthropic|OpenAI|GoogleGenAI)\(.*;$/gm)].map(([line]) => line))(
  'a vendor’s SDK counts as the README has it: %s',
  async (line) => {
    const messages = [{ role: 'user', content: 'How is the weather?' }];
    const texts = { messages, input: 'How is the weather?', contents: 'How is the weather?' };
    const answer = await resultOf(`return ${line}`, {
      ...{ Anthropic, OpenAI, GoogleGenAI },
      ...{ apiKey: 'any', model: 'gpt-4o', ...texts },
    });
    const { input_tokens, totalTokens } = answer as { input_tokens?: number; totalTokens?: number };
    expect(input_tokens ?? totalTokens).toBeGreaterThan(4);
  },
);

it('the README’s client makes a request fit', async () => {
  const code = /^import \{ PreflightClient \}.*\n([\s\S]*?)```/m.exec(readme)?.[1] ?? '';
  const fitted = await resultOf(`${code}\n return { answer, request };`, { PreflightClient });
  expect(fitted).toMatchObject({ answer: { outcome: 'fits' }, request: { model: 'gpt-4o' } });
});

it('the README’s speeds are not above those of docs/performance.md', () => {
  const table =
    /^o200k_base, MB\/s.*\n\n((?:\|.*\n)+)/m.exec(readFileSync('docs/performance.md', 'utf8'))?.[1] ?? '';
  const ratios = new Map(
    [...table.matchAll(/^\| *([^|]+?) *\|[^|]*\|[^|]*\| *([\d.]+) *\|/gm)].map(([, corpus, ratio]) => [
      corpus,
      Number(ratio),
    ]),
  );
  const least = (corpora: string[]) => Math.min(...corpora.map((corpus) => ratios.get(corpus) ?? 0));
  const [, plain, other] = /at least (\d+) times as\sfast as .* and (\d+) times/.exec(readme) ?? [];
  expect(Number(plain)).toBeLessThanOrEqual(
    least([
      'random base64 inside its JSON',
      'PDF, base64',
      'English prose',
      'source code',
      'JSON tool output',
    ]),
  );
  expect(Number(other)).toBeLessThanOrEqual(
    least(['Chinese, Japanese, Korean', 'Arabic and Urdu', 'multilingual mix', 'chat with emoji']),
  );
});

it('the README’s library example is true', async () => {
  const counter = await loadCounter('o200k_base');
  for (const [, call, argument, limit, result] of readme.matchAll(
    /counter\.(count|cut)\('([^']*)'(?:, (\d+))?\);\s*\/\/ ('[^']*'|\d+)/g,
  ))
    expect(
      call === 'count'
        ? counter.count(argument as string)
        : `'${counter.cut(argument as string, Number(limit))}'`,
    ).toBe(call === 'count' ? Number(result) : result);
  expect.assertions(2);
});
