import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

/** The fuzz is JavaScript without declarations: it is loaded by a name that the compiler does not follow. */
const load = (file: string) => import(new URL(file, import.meta.url).href);
const { KINDS } = await load('./kinds/index.mjs');
const { fuzz } = await load('./fuzz.mjs');
const { loadSubject } = await load('./subjects.mjs');
const { PAD_WORDS } = await load('./texts/pads.mjs');
const { PlainReference } = await load('./reference/plain.mjs');
const { SNIPPETS } = await load('./texts/snippets.mjs');

const FIRST_CLASS = ['o200k_base', 'cl100k_base'];

/** In processes of their own, without the transformations of the test runner: as `npm run fuzz` does. */
async function run(...argv: string[]): Promise<string> {
  const main = join(import.meta.dirname, 'main.mjs');
  try {
    return (await promisify(execFile)(process.execPath, [main, ...argv])).stdout;
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    return expect.fail(`${stdout}${stderr}`);
  }
}

describe('a slice of the fuzz finds no difference from tiktoken', () => {
  it('with a text of any kind', async () => {
    const outputs = await Promise.all(
      FIRST_CLASS.map((encoding) => run('--encoding', encoding, '--seconds', '12', '--seed', '1')),
    );
    for (const output of outputs) expect(output.match(/ cases,/g)).toHaveLength(7);
  });

  it('with any code point in any context', { timeout: 300_000 }, async () => {
    const outputs = await Promise.all(
      FIRST_CLASS.map((encoding) => run('--encoding', encoding, '--kind', 'codepoints')),
    );
    for (const output of outputs) expect(output).toContain('1,131,520 cases');
  });

  it('with all encodings on the same texts', async () => {
    expect(await run('--encoding', 'all', '--kind', 'count', '--cases', '300', '--seed', '2')).toContain(
      '2,100 cases',
    );
  });
});

describe('the fuzz', async () => {
  const subject = await loadSubject('r50k_base');
  const bytesOf = (text: string | Uint8Array) => Buffer.from(text as string);
  /** The subject with a counter that is wrong on texts that hold some characters. */
  const wrongOn = (characters: string) => ({
    ...subject,
    plain: subject.plain,
    counter: Object.assign(Object.create(subject.counter), {
      count: (text: string | Uint8Array) =>
        subject.counter.count(text) + Number(bytesOf(text).includes(characters)),
      cutBytes: (text: Uint8Array, maxTokens: number) =>
        subject.counter.cutBytes(text, maxTokens) + Number(bytesOf(text).includes(characters)),
    }),
  });

  it.each(Object.keys(KINDS))('reports a wrong counter: %s', (kind) => {
    const planted = kind === 'long' ? 'a' : '\u00bd';
    const { failure } = fuzz(KINDS[kind], [wrongOn(planted)], { seed: 1, cases: 2000 });
    expect(failure).toMatchObject({ encoding: 'r50k_base', isRepeatable: true });
    // The text is as short as it can be, but large texts are made smaller only for some time.
    if (kind !== 'long') expect(failure.text).toBe(planted);
  });

  it('says so when a mistake depends on what was counted before', () => {
    let calls = 0;
    const counter = Object.assign(Object.create(subject.counter), {
      count: (text: string) => subject.counter.count(text) + Number(calls++ === 100),
    });
    const { failure, cases } = fuzz(KINDS.count, [{ ...subject, counter }], { seed: 1, cases: 2000 });
    expect(failure.isRepeatable).toBe(false);
    expect(cases).toBeLessThan(101);
  });

  it('reports a counter that throws', () => {
    const counter = Object.assign(Object.create(subject.counter), {
      count: () => {
        throw new RangeError('unreachable');
      },
    });
    const { failure } = fuzz(KINDS.count, [{ ...subject, counter }], { seed: 1, cases: 2000 });
    expect(failure).toMatchObject({ text: '', message: 'RangeError: unreachable' });
  });

  it('makes the same texts from the same seed', () => {
    const totals = [1, 1, 2].map((seed) => fuzz(KINDS.count, [subject], { seed, cases: 100 }).characters);
    expect(totals[1]).toBe(totals[0]);
    expect(totals[2]).not.toBe(totals[0]);
  });
});

describe.each(['o200k_base', 'cl100k_base', 'p50k_base', 'r50k_base'])(
  'what the fuzz knows of %s',
  async (encoding) => {
    const { tiktoken } = await loadSubject(encoding);

    it('holds: pads are made of whole tokens', () => {
      for (const word of [...PAD_WORDS, 'a']) expect(tiktoken.count(` ${word}`), word).toBe(1);
    });

    it('holds: the plain reference encodes as tiktoken does', () => {
      const plain = new PlainReference(encoding);
      for (const text of SNIPPETS) expect(plain.encode(text)).toEqual(tiktoken.encode(text));
    });
  },
);
