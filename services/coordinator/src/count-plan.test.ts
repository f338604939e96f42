import { TOKEN_KINDS } from '@preflight/accounting';
import type { CountJob, PreflightJob } from '@preflight/contracts';
import type { Attachment, Message } from '@preflight/core';
import { finish, loneColumns, PreflightError, TextRange, UNIT_FAULTS } from '@preflight/core';
import { describe, expect, test } from 'vitest';
import { atPlaceIn, planCounts } from './count-plan.js';
import { kindsOf, ledgerOf } from './ledger-plan.js';
import { textOf } from './testing/fake-pool.js';

const file = (contentBase64: string, pointer = '/messages/0/files/0'): Attachment => ({
  kind: 'file',
  pointer,
  file: { contentBase64, filename: 'a.pdf', mimeType: 'application/pdf' },
});

function message(role: string, texts: readonly string[], attachments: readonly Attachment[] = []): Message {
  return { role, texts, attachments };
}

function job(messages: readonly Message[], count: CountJob['count'] = 'content'): CountJob {
  return {
    conversation: { messages, protectedCount: 1, tools: [] },
    model: 'gpt-4o',
    family: 'gpt-4o',
    encoding: 'o200k_base',
    count,
  };
}

/** The plan, and its ledger when every countable has as many tokens as bytes. */
async function planned(given: CountJob) {
  const plan = finish(planCounts(given));
  const texts = plan.countables.map(textOf);
  return {
    plan,
    texts,
    ledger: await ledgerOf(
      plan.ledger,
      Int32Array.from(texts, (text) => text.length),
    ),
  };
}

describe('count: content', () => {
  test('counts texts and attachments of each message, and nothing else', async () => {
    const { ledger, texts } = await planned(
      job([
        message('system', ['abc']),
        message('user', ['de', '', 'f'], [file('YQ==')]),
        message('tool', []),
      ]),
    );
    expect(texts).toEqual(['abc', 'de', 'f', expect.stringContaining(';base64,YQ==')]);
    expect(ledger).toEqual({
      contentTokens: Int32Array.of(3, 3, 0),
      attachmentTokens: Int32Array.of(0, texts[3]?.length as number, 0),
      otherTokens: new Int32Array(3),
      ...loneColumns(3),
      roles: Uint8Array.of(1, 2, 4),
      isUser: Uint8Array.of(0, 1, 0),
      protectedCount: 1,
      requestOverheadTokens: 0,
    });
  });

  test('lists the texts of each message, empty ones included', async () => {
    const { plan, texts } = await planned(
      job([message('user', ['', 'ab'], [file('YQ==')]), message('tool', []), message('user', ['ab', ''])]),
    );
    expect(texts[plan.contents.texts[1] as number]).toBe('ab');
    expect(plan.contents).toEqual({ texts: Int32Array.of(-1, 0, 2, -1), starts: Int32Array.of(0, 2, 2, 4) });
  });

  test('of no messages is an empty ledger', async () => {
    const { ledger, texts } = await planned(job([]));
    expect([texts, ledger.contentTokens.length, ledger.requestOverheadTokens]).toEqual([[], 0, 0]);
  });
});

test('instructions count whatever else does', async () => {
  for (const count of ['content', 'request'] as const) {
    const given = job([message('user', ['a'])], count);
    const instructions = ['be brief', ''];
    const without = await planned(given);
    const { ledger } = await planned({ ...given, conversation: { ...given.conversation, instructions } });
    const added = ledger.requestOverheadTokens - without.ledger.requestOverheadTokens;
    // With the request's overhead they are formatted like a message.
    expect(added).toBe('be brief'.length + (count === 'request' ? 4 : 0));
  }
});

describe('calls and results', () => {
  const messages = [
    message('user', ['a']),
    { ...message('assistant', []), calls: ['1'], boundTexts: ['signed'] },
    message('user', ['wait']),
    { ...message('tool', ['b']), results: ['1', '2'] },
  ];

  test('are units, in which no turn begins', async () => {
    const { ledger } = await planned(job(messages, 'request'));
    expect(ledger.units).toEqual(Int32Array.of(0, 1, 1, 1));
    expect(ledger.isUser).toEqual(Uint8Array.of(1, 0, 0, 0));
    expect(UNIT_FAULTS[(ledger.unitFaults[3] as number) - 1]).toBe('orphan_result');
  });

  test('are messages like others where the reference has it so', async () => {
    const { ledger } = await planned({ ...job(messages), isLiteral: true });
    expect(ledger).toMatchObject({
      ...loneColumns(4),
      roles: Uint8Array.of(2, 3, 2, 4),
      isUser: Uint8Array.of(1, 0, 1, 0),
    });
  });

  test('thinking of earlier turns is counted where it may count again, and not before', async () => {
    const thought = [
      message('user', ['a']),
      { ...message('assistant', ['b']), idleTexts: ['idle'] },
      message('user', ['c']),
    ];
    const counted = job(thought, 'request');
    const { ledger: plain } = await planned(counted);
    expect(plain).not.toHaveProperty('idleTokens');
    const fit = { strategies: ['trim'], pins: [0] } as unknown as PreflightJob['fit'];
    const { ledger } = await planned({ ...counted, fit } as CountJob);
    expect(ledger.idleTokens).toEqual(Int32Array.of(0, 'idle'.length, 0));
    expect(ledger.questions).toEqual(Uint8Array.of(1, 0, 1));
    expect(ledger.otherTokens).toEqual(plain.otherTokens);
  });

  test('bound texts count, and are told apart', async () => {
    const { ledger } = await planned(job(messages, 'request'));
    expect(ledger.boundTokens).toEqual(Int32Array.of(0, 'signed'.length, 0, 0));
    const plain = messages.map(({ role, texts }) => message(role, texts as string[]));
    const { ledger: without } = await planned(job(plain, 'request'));
    expect(ledger.otherTokens[1]).toBe((without.otherTokens[1] as number) + 'signed'.length);
  });
});

describe('count: request', () => {
  test('adds roles, names, calls and constants to their message, and priming to the request', async () => {
    const call = { id: 'x', type: 'function', function: { name: 'look', arguments: '{}' } };
    const { ledger, texts } = await planned(
      job(
        [message('user', ['hi']), { ...message('assistant', []), name: 'bob', toolCalls: [call] }],
        'request',
      ),
    );
    expect(texts).toEqual(['hi', 'user', 'assistant', 'bob', 'look', '{}']);
    expect(ledger.contentTokens).toEqual(Int32Array.of(2, 0));
    const [user, assistant] = ledger.otherTokens as unknown as [number, number];
    expect(user).toBeGreaterThan('user'.length);
    expect(assistant).toBeGreaterThan(user + 'boblook{}'.length);
    expect(ledger.requestOverheadTokens).toBeGreaterThan(0);
  });

  test('tells what other tokens are made of beside formatting', async () => {
    const call = { function: { name: 'look', arguments: '{}' } };
    const messages: Message[] = [
      message('user', ['hi']),
      { ...message('assistant', []), name: 'bob', toolCalls: [call], boundTexts: ['hm', 'so'] },
      { ...message('tool', ['found', '', 'more']), results: ['1'] },
      { ...message('user', ['and?', 'found']), results: ['2'], resultTextsFrom: 1 },
      { ...message('user', ['and?']), results: ['3'], resultTextsFrom: 1 },
    ];
    const given = job(messages, 'request');
    const conversation = { ...given.conversation, instructions: ['be brief'], schemas: [{}] };
    const { plan, ledger, texts } = await planned({ ...given, conversation });
    const told = [
      ...kindsOf(
        plan.ledger,
        Int32Array.from(texts, (text) => text.length),
      ),
    ];
    const rows = Array.from({ length: told.length / 3 }, (_, i) => told.slice(3 * i, 3 * i + 3));
    const words = rows.map(([index, kind, tokens]) => [index, TOKEN_KINDS[kind as number], tokens]);
    expect(words).toEqual([
      [1, 'name', 3 + 1],
      [1, 'tool_calls', 'look{}'.length + 3],
      [1, 'reasoning', 'hmso'.length],
      [2, 'tool_results', 'foundmore'.length],
      [3, 'tool_results', 'found'.length],
      [-1, 'instructions', 'be brief'.length],
      [-1, 'schemas', 2],
    ]);
    const sumOf = (at: number) =>
      rows.reduce((sum, [index, , n]) => sum + (index === at ? (n as number) : 0), 0);
    expect(ledger.otherTokens[1]).toBe(sumOf(1) + 'assistant'.length + 3);
    expect(ledger.requestOverheadTokens).toBe(sumOf(-1) + 3 + 4);
  });

  test('takes off again what a rule subtracts', async () => {
    const tool = { type: 'function', function: { name: 'look', parameters: { type: 'object' } } };
    const given = job([message('system', ['be brief'])], 'request');
    const conversation = { ...given.conversation, tools: [tool] };
    // Of the models whose tool schemas are written as a declaration behind the first system message.
    const { plan, texts } = await planned({ ...given, conversation, family: 'gpt-4' });
    const without = await ledgerOf(
      plan.ledger,
      Int32Array.from(texts, () => 0),
    );
    const system = texts.lastIndexOf('be brief');
    expect(texts).toContain('be brief\n');
    const one = await ledgerOf(
      plan.ledger,
      Int32Array.from(texts, (_, i) => (i === system ? 100 : 0)),
    );
    expect(one.requestOverheadTokens).toBe(without.requestOverheadTokens - 100);
    expect(one.contentTokens).toEqual(without.contentTokens);
  });
});

test('tells a message with empty attachments once', async () => {
  const { plan } = await planned(
    job([message('user', [], [file(''), file('')]), message('user', [], [file('YQ==')])]),
  );
  expect(plan.ledger.emptyAttachments).toEqual([0]);
});

describe('an error about one countable', () => {
  test('gets the place of its file in the request', async () => {
    const part: Attachment = { kind: 'part', part: { type: 'input_audio' } };
    const { plan, texts } = await planned(
      job([
        message('user', ['a'], [part, file('YQ=='), file('@@', '/messages/0/files/1')]),
        message('user', ['b']),
      ]),
    );
    const item = texts.findIndex((text) => text.includes('@@'));
    const error = new PreflightError('invalid_base64', { params: { item } });
    expect(atPlaceIn(plan, error)).toMatchObject({
      code: 'invalid_base64',
      params: {},
      issues: [{ pointer: '/messages/0/files/1' }],
    });
  });

  test('and any other error stays what it is', async () => {
    const { plan } = await planned(job([]));
    for (const error of [new PreflightError('overloaded'), new Error('x'), 'thrown'])
      expect(atPlaceIn(plan, error)).toBe(error);
  });
});

test('one long message and one long schema are listed in steps', () => {
  const stepsOf = (given: CountJob) => {
    const steps = planCounts(given);
    let count = 0;
    while (!steps.next().done) count += 1;
    return count;
  };
  expect(stepsOf(job([message('user', Array(6400).fill('a'))]))).toBeGreaterThanOrEqual(100);
  expect(stepsOf(job([message('user', [], Array(6400).fill(file('YQ==')))]))).toBeGreaterThanOrEqual(100);
  const schema = Array(200).fill('x'.repeat(4000));
  const withTools = job([message('user', ['a'])], 'request');
  const conversation = { ...withTools.conversation, tools: [{ type: 'x', schema }] };
  expect(stepsOf({ ...withTools, conversation })).toBeGreaterThanOrEqual(20);
  const [written] = finish(planCounts({ ...withTools, conversation })).countables.slice(-1);
  expect(written).toEqual([expect.any(TextRange)]);
});
