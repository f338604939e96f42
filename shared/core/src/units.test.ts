import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runs } from '../../../test/harness/runs.js';
import type { Message } from './conversation.js';
import { finish } from './steps.js';
import { turnStarts, UNIT_FAULTS, unitsOf } from './units.js';

/** Messages as words: `u` user, `a` assistant; `+x` makes call x, `-x` answers it, `=x` decides on it, `~` is bound to the next. */
function messagesOf(line: string): Message[] {
  return line.split(' ').map((word) => {
    const ids = (sign: string) =>
      word
        .split(sign)
        .slice(1)
        .map((id) => id[0] as string);
    const [calls, results, decisions] = [ids('+'), ids('-'), ids('=')];
    const role = word.startsWith('u') ? 'user' : 'assistant';
    return {
      role,
      texts: [],
      attachments: [],
      ...(calls.length > 0 && { calls }),
      ...(results.length > 0 && { results }),
      ...(decisions.length > 0 && { decisions }),
      ...(word.includes('~') && { isBoundToNext: true }),
      ...(word.startsWith('r') && { startsTurn: false }),
    };
  });
}

const unitsIn = (line: string) => {
  const messages = messagesOf(line);
  const { units, unitFaults } = finish(unitsOf(messages));
  return {
    starts: [...units],
    faults: [...unitFaults].flatMap((code, index) => (code === 0 ? [] : [[index, UNIT_FAULTS[code - 1]]])),
    turns: [...turnStarts(messages, units)],
  };
};

describe('units', () => {
  test.each([
    ['u a u a', [0, 1, 2, 3]],
    ['u a+1 r-1 a', [0, 1, 1, 3]],
    ['u a+1+2 r-1 r-2 a', [0, 1, 1, 1, 4]],
    ['u a+1 a u r-1 a', [0, 1, 1, 1, 1, 5]],
    ['u a+1 a+2 r-1 r-2 u', [0, 1, 1, 1, 1, 5]],
    ['a+1 r-1 a+1 r-1', [0, 0, 2, 2]],
    ['a+1-1 u', [0, 1]],
    ['u a~ a+1 r-1', [0, 1, 1, 1]],
    ['u~ a u~', [0, 0, 2]],
    ['a+1 u a', [0, 1, 2]],
    ['u a+1 r=1 r-1 a', [0, 1, 1, 1, 4]],
    ['u a+1 r=1', [0, 1, 1]],
  ])('of %s start at %j', (line, starts) => {
    expect(unitsIn(line).starts).toEqual(starts);
  });
});

test('where providers look for results directly behind their calls, and for calls behind the user', () => {
  const order = { rolesAlternate: true, callsFollowUser: true };
  const faultsIn = (line: string) =>
    [...finish(unitsOf(messagesOf(line), order)).unitFaults].map((code) => UNIT_FAULTS[code - 1] ?? '');
  expect(faultsIn('u a+1 u-1 a')).toEqual(['', '', '', '']);
  expect(faultsIn('u a+1 a u-1')).toEqual(['', '', '', 'result_elsewhere']);
  expect(faultsIn('u a+1+2 u-1 u-2')).toEqual(['', '', '', 'result_elsewhere']);
  expect(faultsIn('u a a+1 u-1')).toEqual(['', '', 'call_elsewhere', '']);
  expect(faultsIn('a+1 u-1')).toEqual(['call_elsewhere', '']);
  expect(faultsIn('u u+1 u-1')).toEqual(['', 'call_elsewhere', '']);
});

test('where a call of the turn under way is to have its signature, one without it is told', () => {
  const messages = messagesOf('u a+1 r-1 u a+2 r-2').map((message, index) =>
    index === 1 ? { ...message, hasUnsignedCall: true } : message,
  );
  const faultsIn = (callsAreSigned: boolean) => [...finish(unitsOf(messages, { callsAreSigned })).unitFaults];
  expect(faultsIn(true)).toEqual([0, UNIT_FAULTS.indexOf('unsigned_call') + 1, 0, 0, 0, 0]);
  expect(faultsIn(false)).toEqual([0, 0, 0, 0, 0, 0]);
});

test('where nothing but results may stand between calls and results', () => {
  const faultsIn = (line: string) =>
    [...finish(unitsOf(withTools(line), { resultsFollowCalls: true })).unitFaults].map(
      (code) => UNIT_FAULTS[code - 1] ?? '',
    );
  const withTools = (line: string) =>
    messagesOf(line).map((message) =>
      message.startsTurn === false ? { ...message, role: 'tool' } : message,
    );
  expect(faultsIn('u a+1+2 r-1 r-2 a')).toEqual(['', '', '', '', '']);
  expect(faultsIn('u a+1 u r-1')).toEqual(['', '', '', 'result_elsewhere']);
  expect(faultsIn('a+1+2 r-1 a r-2')).toEqual(['', '', '', 'result_elsewhere']);
  expect(faultsIn('a+1-1 u')).toEqual(['', '']);
});

describe('faults', () => {
  test.each<[string, [number, string][]]>([
    ['u a+1 r-1', []],
    ['u a+1 r=1', []],
    ['u a+1 r=1 r-1 u', []],
    ['u a+1 r=1 u', []],
    ['u a+1 r=1 r-1 a+1 u', [[4, 'unanswered_call']]],
    ['u r-1', [[1, 'orphan_result']]],
    ['u r-1 a+1 r-1', [[1, 'result_before_call']]],
    ['u a+1 a+1 r-1', [[2, 'reused_open_id']]],
    ['u a+1 r-1 r-1', [[3, 'repeated_result']]],
    ['u a+1 u', [[1, 'unanswered_call']]],
    ['u a+1+2 r-1 u', [[1, 'unanswered_call']]],
    ['u a+1', [[1, 'pending_call']]],
    ['u a+1+2 r-1', [[1, 'pending_call']]],
    [
      'u a+1~ a+2',
      [
        [1, 'pending_call'],
        [2, 'pending_call'],
      ],
    ],
    [
      'u a+1 a+2',
      [
        [1, 'unanswered_call'],
        [2, 'pending_call'],
      ],
    ],
    ['a+1 u-1-2', [[1, 'orphan_result']]],
  ])('of %s are %j', (line, faults) => {
    expect(unitsIn(line).faults).toEqual(faults);
  });
});

describe('turns', () => {
  test.each([
    ['u a u a', [1, 0, 1, 0]],
    ['u a+1 u r-1 u', [1, 0, 0, 0, 1]],
    ['u a+1 u-1 u', [1, 0, 0, 1]],
    ['r a u', [0, 0, 1]],
  ])('of %s begin at %j', (line, turns) => {
    expect(unitsIn(line).turns).toEqual(turns);
  });

  test('do not begin at a user message that is said not to', () => {
    const [message] = messagesOf('u') as [Message];
    expect([...turnStarts([{ ...message, startsTurn: false }], Int32Array.of(0))]).toEqual([0]);
  });
});

const id = fc.constantFrom('1', '2', '3');
const generated = fc.array(
  fc.record({
    calls: fc.array(id, { maxLength: 2 }),
    results: fc.array(id, { maxLength: 2 }),
    isBoundToNext: fc.boolean(),
  }),
  { maxLength: 12 },
);

test('units are what repeated joining of all that belongs together comes to', () => {
  fc.assert(
    fc.property(generated, (drafts) => {
      const messages: Message[] = drafts.map((draft) => ({
        role: 'user',
        texts: [],
        attachments: [],
        ...draft,
      }));
      expect([...finish(unitsOf(messages)).units]).toEqual(slowStarts(messages));
    }),
    runs(1000),
  );
});

/** By the definition, as slow as it is plain: ranges that overlap are joined until none do. */
function slowStarts(messages: readonly Message[]): number[] {
  const ranges = messages.map((message, index): [number, number] => [
    index,
    message.isBoundToNext && index + 1 < messages.length ? index + 1 : index,
  ]);
  for (const id of ['1', '2', '3']) {
    const events = messages.flatMap(({ calls = [], results = [] }, index) => [
      ...calls.filter((call) => call === id).map(() => ({ kind: 'call', index })),
      ...results.filter((result) => result === id).map(() => ({ kind: 'result', index })),
    ]);
    events.forEach(({ kind, index }, at) => {
      const before = events.slice(0, at);
      const call = before.findLast((event) => event.kind === 'call');
      const isOpen = before.at(-1)?.kind === 'call';
      if (call && (kind === 'result' || isOpen)) ranges.push([call.index, index]);
    });
  }
  const start = (index: number): number => {
    const first = Math.min(...ranges.filter(([a, b]) => a <= index && index <= b).map(([a]) => a));
    return first === index ? index : start(first);
  };
  return messages.map((_, index) => start(index));
}

test('100,000 messages whose calls all stay open take no longer than their number', () => {
  const messages = Array.from(
    { length: 100_000 },
    (_, i): Message => ({
      role: 'assistant',
      texts: [],
      attachments: [],
      calls: [`${i}`],
      results: [`${i - 50_000}`],
    }),
  );
  const steps = unitsOf(messages);
  let count = 0;
  while (!steps.next().done) count += 1;
  expect(count).toBeGreaterThan(100);
});
