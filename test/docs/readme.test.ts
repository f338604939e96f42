import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { loadCounter } from '@preflight/tokenizer';
import { expect, it } from 'vitest';
import { startParts } from '../harness/in-process.js';

const readme = readFileSync('README.md', 'utf8');
const { answerer } = startParts();

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
