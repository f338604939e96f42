import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inspect, readPdfText } from '@preflight/media';
import { describe, expect, test } from 'vitest';

/*
 * Files made by real tools, and what independent tools say of them (`make-corpus.mjs`). Every file is read as its bytes and as a
 * data URI.
 */

interface Truth {
  readonly file: string;
  readonly tool: string;
  readonly kind?: 'image' | 'pdf' | 'audio' | 'video';
  readonly width?: number;
  readonly height?: number;
  readonly pages?: number;
  readonly seconds?: number;
  readonly hasAudio?: boolean;
  /** The agreed answer where nobody can read it. */
  readonly unreadable?: string;
  readonly as?: string;
}

const folder = join(import.meta.dirname, 'corpus');
const truth: readonly Truth[] = readFileSync(join(import.meta.dirname, 'truth.jsonl'), 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line));

/** Tools differ in whether they count what an encoder put before and behind: a frame or two. */
const SECONDS_APART = 0.13;

describe('what is read of each file', () => {
  test.each(truth.map((told) => [told.file, told] as const))('%s', (name, told) => {
    const bytes = readFileSync(join(folder, name));
    const facts = inspect(bytes, { form: 'bytes' });
    const encoded = Buffer.from(`data:;base64,${bytes.toString('base64')}`);
    expect(inspect(encoded, { form: 'encoded' })).toEqual(facts);
    const { file, tool, width, height, seconds, unreadable, ...rest } = told;
    if (unreadable !== undefined)
      return expect(facts).toMatchObject({ kind: 'unreadable', reason: unreadable, ...rest });
    if (mayNeedAKey(name))
      return expect(facts).toEqual({ kind: 'unreadable', as: 'pdf', reason: 'encrypted' });
    expect(facts).toMatchObject({ ...rest, ...(width && { widthPx: width, heightPx: height }) });
    if (seconds === undefined) return;
    const read = facts.kind === 'audio' || facts.kind === 'video' ? facts.seconds : Number.NaN;
    expect(Math.abs(read - seconds), `${read} s, and ${tool} says ${seconds} s`).toBeLessThan(SECONDS_APART);
  });
});

/** Opened by `readPdfText` only, since it takes the making of a key. */
function mayNeedAKey(name: string): boolean {
  return name.startsWith('pdf-owner-password');
}

test('what is encrypted is opened by the reader of texts, if no password opens it', async () => {
  const encrypted = truth.filter(({ file }) => file.includes('-password'));
  expect(encrypted.length).toBeGreaterThanOrEqual(16);
  for (const { file, pages, unreadable } of encrypted) {
    const found = await readPdfText(new Uint8Array(readFileSync(join(folder, file))));
    expect(found, file).toMatchObject(unreadable === undefined ? { pages } : { unreadable });
  }
});

test('there are at least 300, of every type', () => {
  expect(truth.map(({ file }) => file)).toEqual(readdirSync(folder).sort());
  expect(truth.length).toBeGreaterThanOrEqual(300);
});
