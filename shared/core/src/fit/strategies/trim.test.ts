import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runs } from '../../../../../test/harness/runs.js';
import { LEDGER_ROLES, type Ledger } from '../../ledger.js';
import { UNIT_FAULTS } from '../../units.js';
import type { Decision } from '../decision.js';
import { replayFit } from '../fit.js';
import { ledgers } from '../testing/generated-ledgers.js';
import { trims } from '../testing/generated-options.js';
import { fittedOf, ledgerOf, optionsFor, refusedOf, runFit } from '../testing/linear-fit.js';
import { DEFAULT_WINDOW, type WindowOptions } from '../window-options.js';

const optionsOf = (budget: number, trim: Partial<WindowOptions> = {}) =>
  optionsFor(budget, { strategies: ['trim'], window: { ...DEFAULT_WINDOW, ...trim } });

const run = (line: string, budget: number, trim: Partial<WindowOptions> = {}, protectedCount = 1) =>
  runFit(ledgerOf(line, { protectedCount }), optionsOf(budget, trim)).decision;

function keptOf(decision: Decision): number[] {
  const { changes } = fittedOf(decision);
  return [...changes.keys()].filter((index) => changes[index]?.action !== 'dropped');
}

const reasonsOf = (decision: Decision) => fittedOf(decision).changes.map(({ reason }) => reason);

describe('the window', () => {
  test.each([
    { what: 'all that fits', line: 's6 u10 a10 u10 a10', budget: 46, kept: [0, 1, 2, 3, 4] },
    { what: 'the newest, and it starts on a user', line: 's6 u10 a10 u10 a10', budget: 45, kept: [0, 3, 4] },
    {
      what: 'a start further back, if it fits',
      line: 'u9 u10 a10 u10 a10',
      budget: 49,
      kept: [0, 1, 2, 3, 4],
    },
    {
      what: 'calls with their results',
      line: 's6 u10 c5 r30 r0 u10 c5 r9 u3',
      budget: 40,
      kept: [0, 5, 6, 7, 8],
    },
    {
      what: 'the request of a long loop',
      line: 's6 u10 c5 r30 c5 r30 c5 r9',
      budget: 40,
      kept: [0, 1, 6, 7],
    },
    { what: 'a call that is to be answered', line: 's6 u10 a30 u9 c5', budget: 25, kept: [0, 3, 4] },
  ])('is $what: $line within $budget', ({ line, budget, kept }) => {
    const single = line.replace(' r0', '');
    expect(keptOf(run(single, budget))).toEqual(
      line === single ? kept : kept.map((i) => (i > 3 ? i - 1 : i)),
    );
  });

  test('has a reason for each unit that is not in it', () => {
    expect(reasonsOf(run('s6 u30 a10 a10 u9 a9', 45))).toEqual([
      null,
      'over_budget',
      'before_start',
      'before_start',
      null,
      null,
    ]);
  });

  test('holds what the user asked between a call and its result', () => {
    expect(keptOf(run('s6 u9 c5 u9 r5 c5 r9 a9', 60))).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    expect(keptOf(run('s6 u9 c5 u9 r5 c5 r9 a9', 50))).toEqual([0, 1, 2, 3, 4, 7]);
    expect(refusedOf(run('s6 u9 c5 u9 r5 c5 r9 a9', 30)).code).toBe('newest_over_budget');
  });

  test('may leave out the newest user message if that is not pinned', () => {
    expect(refusedOf(run('s6 u10 c5 r30 c5 r9', 30, { pinsNewestUser: false })).code).toBe('no_start_match');
    const free = { pinsNewestUser: false, startOn: [] };
    expect(keptOf(run('s6 u10 c5 r30 c5 r9', 30, free))).toEqual([0, 4, 5]);
  });

  test('begins and ends as asked, whatever the budget', () => {
    expect(keptOf(run('s6 a5 u5 a5', 500, { startOn: ['user'] }))).toEqual([0, 2, 3]);
    expect(keptOf(run('s6 a5 u5 a5', 500))).toEqual([0, 1, 2, 3]);
    expect(keptOf(run('s6 u5 a5 u5 a5', 500, { endOn: ['user'] }))).toEqual([0, 1, 2, 3]);
    expect(reasonsOf(run('s6 u5 a5', 500, { endOn: ['user'] }))).toEqual([null, null, 'after_end']);
  });

  test('keeps all of a unit that begins among the protected messages', () => {
    expect(keptOf(run('c6 r5 u90 a5 u5', 30))).toEqual([0, 1, 4]);
  });
});

describe('shortening', () => {
  test('cuts the unit at the boundary, and it fits', () => {
    const decision = run('s6 u100 c5 r300 u9', 200, { shortens: true, startOn: [] });
    expect(keptOf(decision)).toEqual([0, 2, 3, 4]);
    expect(fittedOf(decision).cuts).toMatchObject([{ index: 3 }]);
    expect(fittedOf(decision).tokens.after).toBeLessThanOrEqual(200);
    expect(reasonsOf(decision)[3]).toBe('shortened_unit');
  });

  test('cuts the newest unit, but no pinned message', () => {
    expect(keptOf(run('s6 u9 c5 r3000', 200, { shortens: true }))).toEqual([0, 1, 2, 3]);
    expect(refusedOf(run('s6 a9 u3000', 200, { shortens: true })).code).toBe('newest_over_budget');
  });

  test('leaves alone what the window may not begin with', () => {
    expect(keptOf(run('s6 u100 c5 r300 u9', 200, { shortens: true, pinsNewestUser: false }))).toEqual([0, 4]);
  });
});

describe('refuses', () => {
  test.each([
    { what: 'the front', line: 's60 u5', budget: 50, code: 'system_over_budget', indices: [0], after: 65 },
    { what: 'front alone', line: 's60', budget: 50, code: 'system_over_budget', indices: [0], after: 60 },
    {
      what: 'the newest user',
      line: 's6 a9 u50',
      budget: 50,
      code: 'newest_over_budget',
      indices: [2],
      after: 56,
    },
    {
      what: 'pin and newest unit',
      line: 's6 u9 a9 c20 r30',
      budget: 50,
      code: 'newest_over_budget',
      indices: [1, 3, 4],
      after: 65,
    },
    { what: 'no user', line: 's6 a20 a20', budget: 30, code: 'no_start_match', indices: [2], after: 46 },
  ] as const)('$what: $line within $budget', ({ line, budget, code, indices, after }) => {
    expect(refusedOf(run(line, budget))).toMatchObject({
      code,
      indices,
      figures: { historyTokensAfter: after, shortfall: after - budget },
    });
  });

  test.each([
    { what: 'an orphan', line: 's6 u5 r9 u5', indices: [2] },
    { what: 'no result', line: 's6 u5 c9 u5', indices: [2] },
    { what: 'a result before its call', line: 's6 u5 r9 c5 u9', indices: [2, 3] },
  ])('$what, though it fits, and leaves it out where it may', ({ line, indices }) => {
    expect(refusedOf(run(line, 500))).toMatchObject({ code: 'malformed_tool_history', indices, hints: [] });
    const repaired = run(line, 500, { repairs: true });
    expect(fittedOf(repaired)).toMatchObject({ outcome: 'trimmed', applied: ['trim'] });
    for (const index of indices) expect(reasonsOf(repaired)[index]).toBe('malformed');
  });

  test('what a repair would begin with an answer, and begins with the user if it can', () => {
    expect(keptOf(run('s6 r9 a5 u5', 500, { repairs: true, pinsNewestUser: false }))).toEqual([0, 3]);
    expect(keptOf(run('s6 r9 a5 u5 a5 u5', 500, { repairs: true }))).toEqual([0, 3, 4, 5]);
    expect(keptOf(run('s6 r9 a5 u5', 500, { repairs: true, startOn: [] }))).toEqual([0, 2, 3]);
    expect(refusedOf(run('s6 r9 a5', 500, { repairs: true })).code).toBe('no_start_match');
  });

  test('what would be nothing but system messages', () => {
    expect(refusedOf(run('s6 r9', 500, { repairs: true })).code).toBe('malformed_tool_history');
    expect(refusedOf(run('s6 u5', 500, { endOn: ['tool'] })).code).toBe('no_end_match');
    expect(refusedOf(run('s6 a5', 500, { startOn: ['user'] })).code).toBe('no_start_match');
  });
});

test('flags an empty input, and a call whose result is to come', () => {
  expect(fittedOf(run('', 10)).flags).toMatchObject([{ code: 'empty_input' }]);
  expect(fittedOf(run('s6 u5 c5', 500)).flags).toMatchObject([
    { code: 'pending_tool_call', detail: expect.stringContaining('2') },
  ]);
});

test('nothing is left out between two of the same where roles alternate: refused', () => {
  const ledger = { ...ledgerOf('u10 c5 u10 a10 u3'), protectedCount: 0 };
  const options = optionsOf(20, { repairs: true });
  expect(keptOf(runFit(ledger, options).decision)).toEqual([4]);
  const { code } = refusedOf(runFit({ ...ledger, rolesAlternate: true }, options).decision);
  expect(code).toBe('malformed_tool_history');
});

describe('a first answer that nobody asked for', () => {
  const given = (line: string, more: Partial<Ledger> = {}) => ({
    ...ledgerOf(line, { protectedCount: 0 }),
    rolesAlternate: true,
    ...more,
  });
  const fits = optionsOf(500, { repairs: true });

  test('stays where it came so, whatever is repaired behind it', () => {
    expect(keptOf(runFit(given('a5'), fits).decision)).toEqual([0]);
    expect(keptOf(runFit(given('a5 u5 a5'), fits).decision)).toEqual([0, 1, 2]);
    expect(keptOf(runFit(given('a5 r9 u5 a5'), fits).decision)).toEqual([0, 2, 3]);
    const asked = optionsOf(500, { repairs: true, startOn: ['assistant'] });
    expect(keptOf(runFit(given('a5 u5 a5'), asked).decision)).toEqual([0, 1, 2]);
  });

  test('goes for a smaller budget, and never comes first for what went', () => {
    expect(keptOf(runFit(given('a5 u5 a5'), optionsOf(12, { repairs: true })).decision)).toEqual([1, 2]);
    expect(keptOf(runFit(given('r9 a5 u5 a5'), fits).decision)).toEqual([2, 3]);
  });

  test('goes where the provider begins with the user', () => {
    const ofUser = { startsWithUser: true };
    expect(keptOf(runFit(given('a5 u5 a5', ofUser), fits).decision)).toEqual([1, 2]);
    expect(refusedOf(runFit(given('a5', ofUser), fits).decision).code).toBe('no_start_match');
  });
});

describe('one whom nobody knows, where roles alternate', () => {
  const alternating = (line: string) => ({ ...ledgerOf(line, { protectedCount: 0 }), rolesAlternate: true });

  test('is not the first to speak where he was not', () => {
    const anywhere = { pinsNewestUser: false, startOn: [] };
    expect(keptOf(runFit(alternating('u99 x9 u9'), optionsOf(30, anywhere)).decision)).toEqual([2]);
    expect(keptOf(runFit(alternating('x9 u9 a99 u9'), optionsOf(30, anywhere)).decision)).toEqual([3]);
  });

  test('is nobody who is answered', () => {
    const options = { ...optionsOf(60, { startOn: [] }), pins: [0] };
    expect(keptOf(runFit(alternating('u9 x9 u99 a9 u9'), options).decision)).toEqual([0, 1, 4]);
    expect(keptOf(runFit(alternating('u9 a9 u9 u99 a9 u9'), options).decision)).toEqual([0, 1, 5]);
  });
});

describe('a call without the signature that it needs in the turn under way', () => {
  const unsigned = UNIT_FAULTS.indexOf('unsigned_call') + 1;
  /** `U` in place of `c` is such a call. */
  const ledgerWith = (line: string) => ({
    ...ledgerOf(line.replaceAll('U', 'c'), { protectedCount: 0 }),
    unitFaults: Uint8Array.from(line.split(' '), (message) => (message.startsWith('U') ? unsigned : 0)),
  });
  const toAnswer = (line: string) =>
    runFit(ledgerWith(line), optionsOf(500, { endOn: ['assistant'] })).decision;
  const withoutQuestion = (line: string, pins: readonly number[]) =>
    runFit(ledgerWith(line), { ...optionsOf(70, { pinsNewestUser: false, startOn: [] }), pins }).decision;

  test('stays behind a question, so that the window ends no earlier than that', () => {
    expect(keptOf(toAnswer('u9 c5 r5 a600 u9 a5 u9'))).toEqual([4, 5]);
    expect(keptOf(toAnswer('u9 U5 r5 a600 u9 a5 u9'))).toEqual([4, 5]);
    expect(keptOf(toAnswer('u600 c5 r5 a9 u9 c5 r5 a9 u9'))).toEqual([4, 5, 6, 7]);
    expect(keptOf(toAnswer('u9 c5 r5 a9 u9 U5 r600 a9 u9'))).toEqual([0, 1, 2, 3]);
    expect(refusedOf(toAnswer('u9 U5 r5 a9 u600')).code).toBe('no_end_match');
  });

  test('may be in a turn that was under way already', () => {
    expect(keptOf(toAnswer('u600 a9 u9 U5 r5 a9'))).toEqual([2, 3, 4, 5]);
  });

  test('is not left as what was pinned, without the question behind it', () => {
    expect(keptOf(withoutQuestion('u9 c5 r5 a9 u80 a9', [1]))).toEqual([1, 2, 5]);
    expect(refusedOf(withoutQuestion('u9 U5 r5 a9 u80 a9', [1])).code).toBe('no_start_match');
  });
});

describe('whatever the conversation, the budget and the options (langchain-trim §10)', () => {
  const budgets = fc.integer({ min: -20, max: 3000 });

  test('the result is within the budget, has all pins, whole units and no faulty ones, and follows from the cuts', () => {
    fc.assert(
      fc.property(ledgers, budgets, trims, (ledger, budget, trim) => {
        const options = optionsOf(budget, trim);
        const { decision, cuts } = runFit(ledger, options);
        expect(replayFit(ledger, options, cuts)).toEqual(decision);
        if (decision.outcome === 'refused') return;
        if (decision.outcome === 'trimmed') expect(decision.tokens.after).toBeLessThanOrEqual(budget);
        const kept = new Set(keptOf(decision));
        for (const [index, start] of ledger.units.entries()) expect(kept.has(index)).toBe(kept.has(start));
        for (let index = 0; index < ledger.protectedCount; index++)
          if (index < ledger.units.length) expect(kept.has(index)).toBe(true);
        for (const index of kept) {
          const fault = UNIT_FAULTS[(ledger.unitFaults[index] ?? 0) - 1];
          const isTaken = trim.repairs ? [] : ['result_elsewhere', 'call_elsewhere'];
          expect([undefined, 'pending_call', 'unsigned_call', ...isTaken]).toContain(fault);
        }
        expectOrder(ledger, decision, trim);
        expectWindow(ledger, decision, trim);
        expectSignedTurn(ledger, decision);
        if (!trim.shortens) expect(decision.cuts).toEqual([]);
      }),
      runs(3000),
    );
  });

  test('a larger budget never keeps fewer units', () => {
    fc.assert(
      fc.property(ledgers, budgets, fc.nat(400), trims, (ledger, budget, more, trim) => {
        const smaller = runFit(ledger, optionsOf(budget, trim)).decision;
        const larger = runFit(ledger, optionsOf(budget + more, trim)).decision;
        if (smaller.outcome === 'refused') return;
        expect(keptOf(larger)).toEqual(expect.arrayContaining(keptOf(smaller)));
      }),
      runs(3000),
    );
  });
});

test('pins, newest users and odd starts: where roles alternate, no answer stands where a gap parts it from its question', () => {
  const pins = fc.uniqueArray(fc.nat(15), { maxLength: 3 });
  fc.assert(
    fc.property(ledgers, fc.integer({ min: -20, max: 3000 }), trims, pins, (ledger, budget, trim, pinned) => {
      const { decision } = runFit(ledger, { ...optionsOf(budget, trim), pins: pinned });
      if (decision.outcome === 'refused') return;
      expectOrder(ledger, decision, trim);
      expectSignedTurn(ledger, decision);
      for (const index of pinned.filter((index) => index < ledger.isUser.length))
        expect(keptOf(decision)).toContain(index);
    }),
    runs(3000),
  );
});

/** No call that lacks its signature is in the turn under way that was not there before. */
function expectSignedTurn({ isUser, unitFaults }: Ledger, decision: Decision): void {
  const kept = keptOf(decision);
  const question = kept.findLast((index) => isUser[index] === 1) ?? -1;
  const underWay = kept.filter((index) => index > question && index < isUser.lastIndexOf(1));
  const unsigned = UNIT_FAULTS.indexOf('unsigned_call') + 1;
  expect(underWay.filter((index) => unitFaults[index] === unsigned)).toEqual([]);
}

/** Where roles alternate: behind a gap the user speaks, or is answered; and nothing ends with an answer that is asked to. */
function expectOrder(ledger: Ledger, decision: Decision, { endOn = [], repairs }: WindowOptions): void {
  if (!ledger.rolesAlternate) return;
  const roleOf = (index: number) => LEDGER_ROLES[(ledger.roles[index] ?? 0) - 1];
  const behindFront = keptOf(decision).filter((index) => (ledger.units[index] ?? 0) >= ledger.protectedCount);
  const speaking = behindFront.filter((index) => roleOf(index) !== 'system');
  for (const [at, index] of speaking.entries()) {
    const previous = speaking[at - 1];
    const isAfterGap = fittedOf(decision)
      .changes.slice((previous ?? ledger.protectedCount - 1) + 1, index)
      .some(({ action }) => action === 'dropped');
    if (isAfterGap && roleOf(index) === 'assistant') {
      expect(previous).toBeDefined();
      expect(['user', 'tool', 'function']).toContain(roleOf(previous as number));
    }
  }
  const [first = 0] = behindFront;
  const isBehindGap = fittedOf(decision)
    .changes.slice(ledger.protectedCount, first)
    .some(({ action }) => action === 'dropped');
  if (isBehindGap) expect([undefined, 'system']).not.toContain(roleOf(first));
  const [speaker] = speaking;
  if (ledger.startsWithUser && repairs && ledger.protectedCount === 0 && speaker !== undefined)
    expect(roleOf(speaker)).not.toBe('assistant');
  const last = behindFront.at(-1);
  if (!ledger.endsWithUser || last === undefined || (!repairs && endOn.length === 0)) return;
  if (UNIT_FAULTS[(ledger.unitFaults[last] ?? 0) - 1] !== 'pending_call')
    expect(roleOf(last)).not.toBe('assistant');
}

/** Behind the front stands the pinned message, if there is one, and an unbroken run of what was not faulty. */
function expectWindow(ledger: Ledger, decision: Decision, trim: WindowOptions): void {
  const { changes, outcome } = fittedOf(decision);
  const isWanted = (index: number) => !['malformed', 'after_end'].includes(changes[index]?.reason ?? '');
  const front = [...ledger.units.keys()].findIndex(
    (index) => index >= ledger.protectedCount && ledger.units[index] === index,
  );
  const wanted = [...changes.keys()].filter((index) => index >= front && front !== -1 && isWanted(index));
  const isKept = wanted.map((index) => changes[index]?.action !== 'dropped');
  const pin = trim.pinsNewestUser ? wanted.findLastIndex((index) => ledger.isUser[index] === 1) : -1;
  if (pin !== -1) expect(isKept[pin]).toBe(true);
  // Asked between calls and results: the unit stays, and what it may not be parted from.
  const newest = wanted.findLast((index) => LEDGER_ROLES[(ledger.roles[index] ?? 0) - 1] === 'user');
  const asking = ledger.units[newest ?? -1] ?? -1;
  const turn = ledger.rolesAlternate
    ? (wanted.findLast((index) => index <= asking && ledger.isUser[index] === 1) ?? 0)
    : asking;
  const isAsked = (index: number) => {
    const unit = ledger.units[index] as number;
    return trim.pinsNewestUser && newest !== undefined && unit >= turn && unit <= asking;
  };
  const runStart = isKept.lastIndexOf(false) + 1;
  const isFrontGone = changes[front]?.reason === 'malformed';
  for (const [position, kept] of isKept.entries())
    expect(kept).toBe(position >= runStart || position === pin || isAsked(wanted[position] as number));
  if (outcome !== 'trimmed') return;
  expect(runStart).toBeLessThan(wanted.length);
  const startOn = trim.startOn ?? (runStart > 0 || isFrontGone ? ['user'] : []);
  const role = LEDGER_ROLES[(ledger.roles[wanted[runStart] ?? -1] ?? 0) - 1];
  const isPinned = (pin !== -1 && pin <= runStart) || isAsked(wanted[runStart] as number);
  if (startOn.length > 0 && !isPinned) expect(startOn).toContain(role);
  const last = LEDGER_ROLES[(ledger.roles[wanted.at(-1) ?? -1] ?? 0) - 1];
  if (trim.endOn && trim.endOn.length > 0) expect(trim.endOn).toContain(last);
}
