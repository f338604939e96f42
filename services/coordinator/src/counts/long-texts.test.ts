import { TextRange } from '@preflight/core';
import { createPool, type Pool } from '@preflight/pool';
import { MemoryCountCache } from '@preflight/storage';
import { loadCounter } from '@preflight/tokenizer';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { distinctTexts } from '../texts/distinct-texts.js';
import { identify } from '../texts/identify.js';
import { KnownCounts } from './known-counts.js';
import { SegmentCounts } from './segment-counts.js';

let pool: Pool;
beforeAll(() => {
  pool = createPool({ threads: 2 });
});
afterAll(() => pool.close());

/** Lines that differ, the same on every machine. */
function lines(seed: number, count: number): string {
  let state = seed;
  return Array.from({ length: count }, () => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    return `${state.toString(36)} moved to berth ${state % 12}, ${state % 977} tons.\n`;
  }).join('');
}

function range(text: string): TextRange {
  const bytes = Buffer.from(text);
  const shared = new SharedArrayBuffer(bytes.length);
  new Uint8Array(shared).set(bytes);
  return new TextRange(shared, 0, bytes.length);
}

describe('a long text', () => {
  const text = lines(1, 50_000);

  /** Counts texts one after the other with one cache; answers how many bytes reached the counters each time. */
  async function countInTurn(texts: readonly string[]) {
    const counted: number[] = [];
    const watched: Pool = Object.create(pool, {
      countAll: {
        value: (...[encoding, countables, options]: Parameters<Pool['countAll']>) => {
          const bytes = countables.flat().map((piece) => (piece as TextRange).byteLength);
          counted.push(bytes.reduce((sum, length) => sum + length, 0));
          return pool.countAll(encoding, countables, options);
        },
      },
      segmentAll: { value: pool.segmentAll.bind(pool) },
      digestAll: { value: pool.digestAll.bind(pool) },
    });
    const parts = { pool: watched, cache: new MemoryCountCache({ maxBytes: 10_000_000 }) };
    const counts = new KnownCounts({ ...parts, segments: new SegmentCounts(parts) });
    const counter = await loadCounter('o200k_base');
    const fresh: number[] = [];
    for (const one of texts) {
      const identified = await identify(watched, 'o200k_base', [[range(one)]], {});
      const { texts: distinct } = await distinctTexts(identified);
      const found = await counts.count('o200k_base', distinct, {});
      expect(found.counts[0]).toBe(counter.count(one));
      fresh.push(counted.splice(0).reduce((sum, bytes) => sum + bytes, 0));
    }
    return fresh;
  }

  test('is counted once', async () => {
    expect(await countInTurn([text, text])).toEqual([Buffer.byteLength(text), 0]);
  });

  test('that has grown is recounted at its end only', async () => {
    const [, fresh] = await countInTurn([text, text + lines(2, 100)]);
    expect(fresh).toBeLessThan(0.25 * text.length);
  });

  test('that has changed in one place is recounted there only', async () => {
    const middle = text.length / 2;
    const changed = `${text.slice(0, middle)}Something else. ${text.slice(middle)}`;
    const [, fresh] = await countInTurn([text, changed]);
    expect(fresh).toBeLessThan(0.3 * text.length);
  });

  test('without a safe split is counted whole', async () => {
    const run = 'a'.repeat(600_000);
    expect(await countInTurn([run, `${run}a`])).toEqual([600_000, 600_001]);
  });
});
