import type { CountJob, PreflightJob } from '@preflight/contracts';
import { cutContent, finish, MARK, type Message, PreflightError } from '@preflight/core';
import { createPool } from '@preflight/pool';
import { MemoryCountCache, MemoryPayloadStore } from '@preflight/storage';
import { afterAll, describe, expect, test } from 'vitest';
import { Coordinator } from './coordinator.js';
import { FakePool, range } from './testing/fake-pool.js';

const pool = createPool({ threads: 2 });
afterAll(() => pool.close());
const payloads = new MemoryPayloadStore();
const coordinator = new Coordinator({ pool, cache: new MemoryCountCache(), payloads });
const { signal } = new AbortController();
const counter = pool.counter('o200k_base');

function job(messages: readonly Message[], fit: Partial<PreflightJob['fit']> = {}): PreflightJob {
  return {
    conversation: { messages, protectedCount: 1, tools: [] },
    model: undefined,
    family: undefined,
    encoding: 'o200k_base',
    count: 'content',
    fit: {
      strategies: ['truncate'],
      contextWindowTokens: 1000,
      maxOutputTokens: 100,
      minOutputTokens: 64,
      bufferTokens: 100,
      ...fit,
    },
  };
}

const short = (role: string, text: string): Message => ({ role, texts: [text], attachments: [] });
const long = (role: string): Message => short(role, 'one of the longer messages. '.repeat(60));

describe('preflight', () => {
  test('of what fits decides without a thread, but for what must be counted', async () => {
    const result = await coordinator.preflight(job([short('system', 'a b'), short('user', 'c')]), signal);
    expect(result.decision).toMatchObject({ outcome: 'fits', maxOutputTokens: 100 });
    expect(result.ledger.contentTokens).toEqual(Int32Array.of(2, 1));
    // The marker is not a text of the request.
    expect(result.cache).toEqual({ hits: 0, misses: 2 });
  });

  test('cuts what may be cut, and recounts to what it says', async () => {
    const messages = [
      short('system', 'a'),
      long('user'),
      long('assistant'),
      long('user'),
      short('user', 'b'),
    ];
    const { decision, ledger } = await coordinator.preflight(job(messages), signal);
    if (decision.outcome !== 'truncated') expect.unreachable(decision.outcome);
    else {
      expect(decision.tokens.after).toBeLessThanOrEqual(decision.tokens.budget);
      for (const cut of decision.cuts) {
        const [text] = finish(cutContent(messages[cut.index]?.texts ?? [], cut)) as string[];
        expect(text).toContain(MARK);
        expect(await counter.count(text as string)).toBe(decision.tokensAfter[cut.index]);
        expect(ledger.contentTokens[cut.index]).toBeGreaterThan(cut.contentTokens);
      }
    }
  });

  test('sends to the cutting thread only texts that can be cut', async () => {
    const sent: number[] = [];
    const watched = {
      ...pool,
      countAll: pool.countAll.bind(pool),
      digestAll: pool.digestAll.bind(pool),
      segmentAll: pool.segmentAll.bind(pool),
      cutToFit: (...[encoding, ledger, fit, textsOf, ...rest]: Parameters<typeof pool.cutToFit>) => {
        for (let i = 0; i < ledger.isUser.length; i++) if (textsOf(i).length > 0) sent.push(i);
        return pool.cutToFit(encoding, ledger, fit, textsOf, ...rest);
      },
    } as unknown as typeof pool;
    const watching = new Coordinator({ pool: watched, cache: new MemoryCountCache(), payloads });
    await watching.preflight(
      job([long('system'), long('user'), short('assistant', 'short'), long('user'), long('user')], {
        contextWindowTokens: 1400,
      }),
      signal,
    );
    expect(sent).toEqual([1, 3]);
  });

  test('drops turns without a thread', async () => {
    const fake = new FakePool();
    const dropping = new Coordinator({ pool: fake.asPool(), cache: new MemoryCountCache(), payloads });
    const messages = [short('system', 'a'), short('user', 'x'.repeat(900)), short('user', 'b')];
    const { decision } = await dropping.preflight(job(messages, { strategies: ['drop_turns'] }), signal);
    expect(decision).toMatchObject({ outcome: 'turns_dropped', drops: [[1]] });
  });

  test('refuses as a value', async () => {
    const { decision } = await coordinator.preflight(
      job([long('system'), long('user')], { contextWindowTokens: 500 }),
      signal,
    );
    expect(decision).toMatchObject({ outcome: 'refused', code: 'ran_out_of_messages' });
  });
});

describe('count', () => {
  test('gives the ledger and what was known', async () => {
    const given: CountJob = job([short('user', 'never seen before'), short('user', 'never seen before')]);
    const first = await coordinator.count(given, signal);
    expect(first).toMatchObject({ cache: { hits: 1, misses: 1 }, emptyAttachments: [] });
    expect(first.ledger.contentTokens).toEqual(Int32Array.of(3, 3));
    expect((await coordinator.count(given, signal)).cache).toEqual({ hits: 2, misses: 0 });
    for (const figure of [first.queueMs, first.countMs]) expect(figure).toBeGreaterThanOrEqual(0);
  });

  test('tells the place of what is no base64', async () => {
    const file = { contentBase64: range('@'), filename: 'a.pdf' };
    const attachment = { kind: 'file', file, pointer: '/messages/1/files/0' } as const;
    const messages = [short('user', 'a'), { role: 'user', texts: [], attachments: [attachment] }];
    await expect(coordinator.count(job(messages), signal)).rejects.toMatchObject({
      code: 'invalid_base64',
      issues: [{ pointer: '/messages/1/files/0' }],
    });
  });

  test('with an encoding of another version', async () => {
    const given = { ...job([short('user', 'a')]), encoding: 'o900k_base' };
    await expect(coordinator.count(given, signal)).rejects.toMatchObject({ code: 'unknown_encoding' });
  });

  test('ends with the reason of the signal', async () => {
    const deadline = new PreflightError('deadline_exceeded');
    const text = short('user', 'a text that nobody has counted');
    await expect(coordinator.count(job([text]), AbortSignal.abort(deadline))).rejects.toBe(deadline);
  });
});
