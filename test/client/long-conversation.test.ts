import { PreflightClient } from '@preflight/client';
import { beforeAll, describe, expect, test } from 'vitest';
import { BOTH_WAYS, type Running } from '../harness/both-ways.js';
import { countingFetch } from '../harness/counting-fetch.js';
import { seededBytes } from '../harness/seeded-texts.js';

const TURNS = 200;
const FILE_BYTES = 2_000_000;
/** Turns whose question comes with a file. */
const WITH_FILE = [0, 60, 120];

/** Longer than what is known in the memory of one process only, and different for each turn. */
const paragraph = (seed: number) => `${seed}: ${seededBytes(900, seed).toString('base64')}`;

function question(turn: number): object {
  const text = { type: 'text', text: paragraph(2 * turn) };
  if (!WITH_FILE.includes(turn)) return { role: 'user', content: [text] };
  const url = `data:image/png;base64,${seededBytes(FILE_BYTES, turn).toString('base64')}`;
  return { role: 'user', content: [text, { type: 'image_url', image_url: { url } }] };
}

describe.each(BOTH_WAYS)('a conversation of 200 turns with three files of 2 MB, %s', (_, start) => {
  let service: Running;
  beforeAll(async () => {
    service = await start();
  });

  test('sends and counts each of its files and texts once', async () => {
    const { fetch, sent } = countingFetch();
    const client = new PreflightClient({ baseUrl: service.url, fetch });
    const messages: object[] = [];
    const misses: number[] = [];
    let before = 0;
    for (let turn = 0; turn < TURNS; turn++) {
      messages.push(question(turn));
      const { answer } = await client.preflight({
        encoding: 'o200k_base',
        context_window: 50_000_000,
        max_output_tokens: 1000,
        messages,
      });
      expect(answer.outcome).toBe('fits');
      expect(answer.tokens.before).toBeGreaterThan(before);
      before = answer.tokens.before;
      misses.push(answer.cache.misses);
      messages.push({ role: 'assistant', content: paragraph(2 * turn + 1) });
    }

    const uploads = sent().filter(({ method }) => method === 'PUT');
    expect(uploads.map(({ sentBytes }) => sentBytes)).toEqual(WITH_FILE.map(() => FILE_BYTES));
    // The question of the turn, the answer of the one before, and a file; in the first turns, what messages have in common.
    for (const [turn, missed] of misses.entries())
      expect(missed, `turn ${turn}`).toBeLessThanOrEqual(turn < 2 ? 5 : WITH_FILE.includes(turn) ? 3 : 2);
    // No file goes along with a later turn: the last and longest body is the text of the conversation, and little more.
    const textBytes = 2 * TURNS * paragraph(0).length;
    const bodies = sent().filter(({ method }) => method === 'POST');
    expect(bodies).toHaveLength(TURNS + WITH_FILE.length);
    expect(bodies.at(-1)?.sentBytes).toBeLessThan(1.1 * textBytes);
  });
});
