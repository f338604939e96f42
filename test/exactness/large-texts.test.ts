import { ENCODING_NAMES, type EncodingName } from '@preflight/pool';
import { expect, test } from 'vitest';
import { startParts } from '../harness/in-process.js';
import { oracleCount } from '../harness/oracle.js';
import { mixed, TEXT_KINDS } from '../harness/seeded-texts.js';

const { pool } = startParts({ threads: 2 });
const alone = startParts({ threads: 1 }).pool;

/** More than one task, so that it is split over threads; tasks take 256 KiB. */
const SPLIT_CHARACTERS = 300_000;

const kinds = Object.entries({ ...TEXT_KINDS, mixed });

test.each(kinds)('%s split over threads counts as tiktoken counts it whole', async (_, make) => {
  const text = make(SPLIT_CHARACTERS, 11);
  const expected = oracleCount('o200k_base', text);
  expect(await pool.counter('o200k_base').count(text)).toBe(expected);
  expect(await alone.counter('o200k_base').count(text)).toBe(expected);
});

const others = ENCODING_NAMES.filter((name) => name !== 'o200k_base');

test.each(others)('%s counts a large mixed text', async (encoding: EncodingName) => {
  const text = mixed(270_000, 12);
  expect(await pool.counter(encoding).count(text)).toBe(oracleCount(encoding, text));
});

test('sizes around the size of a task', async () => {
  const base64 = TEXT_KINDS.base64?.(300_000, 13) ?? '';
  for (const offset of [-1, 0, 1, 2]) {
    const text = base64.slice(0, 256 * 1024 + offset);
    expect(await pool.counter('o200k_base').count(text), `${offset}`).toBe(oracleCount('o200k_base', text));
  }
});

test('a text without any safe split stays whole and exact', async () => {
  // Too long for tiktoken, which is quadratic here: eight letters make one token, whatever stands around.
  const spaces = `${' '.repeat(600_000)}x`;
  const counter = pool.counter('o200k_base');
  const [whole, halves] = [await counter.count(spaces), await alone.counter('o200k_base').count(spaces)];
  expect(whole).toBe(halves);
  expect(whole).toBeGreaterThan(0);
});
