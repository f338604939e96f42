import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runs } from '../harness/runs.js';
import { type CaseShape, cases, type Plain } from './conversations.js';
import { Fitter, type Outcome, withRequest } from './fit-case.js';
import { changeableRange, messageEdits, textsOf } from './message-parts.js';

const MARK = '\n... [Contents truncated!]';
const fitter = new Fitter();

type Fitted = Outcome & { fitted: NonNullable<Outcome['fitted']> };

async function everyFitted(law: (outcome: Fitted) => Promise<void> | void, shape: CaseShape = {}) {
  await fc.assert(
    fc.asyncProperty(cases(shape), async (one) => {
      const outcome = await fitter.fit(one);
      if (outcome.fitted) await law(outcome as Fitted);
    }),
    runs(200),
  );
}

test('generated cases come to every outcome', async () => {
  const outcomes = new Set<string | undefined>();
  await fc.assert(
    fc.asyncProperty(cases(), async (one) => {
      const { fitted, problem } = await fitter.fit(one);
      outcomes.add(fitted?.outcome ?? problem?.code);
    }),
    runs(300),
  );
  const common = ['fits', 'output_reduced', 'truncated', 'turns_dropped'];
  const refusals = ['ran_out_of_messages', 'output_below_min_after_drop'];
  expect([...outcomes]).toEqual(expect.arrayContaining([...common, ...refusals]));
});

test('a conversation that fits comes back deeply equal, without edits', async () => {
  await everyFitted(({ request, fitted }) => {
    if (fitted.outcome !== 'fits' && fitted.outcome !== 'output_reduced') return;
    expect(fitted.edits).toEqual([]);
    expect(fitted.conversation).toEqual(request);
    expect(fitted.tokens.after).toBe(fitted.tokens.before);
    expect(fitted.messages.every(({ action, reason }) => action === 'kept' && reason === null)).toBe(true);
  });
});

const REASONS: Record<string, string[]> = {
  cut: ['even_share'],
  elided: ['oldest_tool_result', 'oldest_attachment'],
  dropped: ['oldest_turn', 'over_budget', 'before_start'],
};

test('only documented edits are made, ordered, one a message at most, each with its row in the report', async () => {
  await everyFitted(({ fitted }) => {
    const indices = messageEdits(fitted).map(({ index }) => index);
    expect(indices).toEqual([...new Set(indices)].sort((a, b) => a - b));
    for (const edit of messageEdits(fitted))
      expect(Object.keys(edit).sort()).toEqual(
        edit.op === 'drop' ? ['index', 'op'] : ['content', 'index', 'op'],
      );
    const actions = { drop: /^dropped$/, replace_content: /^(cut|elided)$/ };
    const changed = fitted.messages.filter(({ action }) => action !== 'kept');
    expect(changed.map(({ index, action }) => [index, action])).toEqual(
      messageEdits(fitted).map(({ op, index }) => [index, expect.stringMatching(actions[op])]),
    );
    for (const { action, reason, tokens_after } of changed) {
      expect(REASONS[action]).toContain(reason);
      if (action === 'dropped') expect(tokens_after).toBe(0);
    }
  });
});

test('edits applied to the input give the returned conversation', async () => {
  await everyFitted(({ request, fitted }) => {
    const edits = new Map(messageEdits(fitted).map((edit) => [edit.index, edit]));
    const messages = request.messages.flatMap((message, index): Plain[] => {
      const edit = edits.get(index);
      if (edit === undefined) return [message];
      return edit.op === 'drop' ? [] : [{ ...message, content: edit.content }];
    });
    expect(fitted.conversation).toEqual({ ...request, messages });
  });
});

test('the protected front, the last user message and what follows are untouched', async () => {
  await everyFitted(
    ({ body, request, fitted }) => {
      const [start, end] = changeableRange(body, request.messages);
      for (const { index } of messageEdits(fitted)) {
        expect(index).toBeGreaterThanOrEqual(start);
        expect(index).toBeLessThan(end);
      }
    },
    // The others may change what follows: a window has its newest messages, and results of a loop of tools are old.
    { strategies: ['truncate', 'drop_turns', 'elide_attachments'] },
  );
});

test('cut content is a prefix in whole code points with the marker behind it, and well formed', async () => {
  await everyFitted(
    ({ request, fitted }) => {
      for (const edit of messageEdits(fitted)) {
        if (edit.op !== 'replace_content') continue;
        const given = request.messages[edit.index]?.content;
        const texts = textsOf(edit.content);
        const before = textsOf(given).map((text) => text.toWellFormed());
        const last = texts.at(-1) ?? expect.fail();
        expect(texts.slice(0, -1)).toEqual(before.slice(0, texts.length - 1));
        expect(last.endsWith(MARK)).toBe(true);
        expect(before[texts.length - 1]?.startsWith(last.slice(0, -MARK.length))).toBe(true);
        expect(texts.every((text) => text.isWellFormed())).toBe(true);
        expect(mediaOf(edit.content)).toEqual(mediaOf(given));
      }
    },
    { strategies: ['truncate'] },
  );
});

test('turns are dropped whole, oldest first, no more than needed, so calls stay with their results', async () => {
  await everyFitted(
    ({ body, request, fitted }) => {
      const dropped = messageEdits(fitted).map(({ index }) => index);
      if (dropped.length === 0) return;
      const roles = request.messages.map(({ role }) => role);
      const [start, lastUser] = changeableRange(body, request.messages);
      const first = roles.indexOf('user', start);
      const end = (dropped.at(-1) ?? 0) + 1;
      expect(dropped).toEqual(Array.from({ length: end - first }, (_, i) => first + i));
      expect(roles[end]).toBe('user');
      expect(end).toBeLessThanOrEqual(lastUser);
      const lastTurn = roles.lastIndexOf('user', end - 1);
      const lastTurnTokens = fitted.messages
        .slice(lastTurn, end)
        .reduce((sum, one) => sum + one.content_tokens + one.attachment_tokens + one.other_tokens, 0);
      expect(fitted.tokens.after + lastTurnTokens).toBeGreaterThan(fitted.tokens.budget);
    },
    { strategies: ['drop_turns'] },
  );
});

test('running on its own output changes nothing', async () => {
  await everyFitted(async ({ body, fitted }) => {
    const again = await fitter.preflight(withRequest(body, fitted.conversation));
    expect(again.fitted?.edits).toEqual([]);
    expect(again.fitted?.conversation).toEqual(fitted.conversation);
  });
});

test('cut again and again, array content has one marker, and to the same budget it is not cut again', async () => {
  let cuts = 0;
  const bodies = fc.tuple(
    fc.array(fc.array(fc.constantFrom('red ', 'green. ', 'blue, ', MARK), { maxLength: 60 }), {
      minLength: 1,
      maxLength: 4,
    }),
    fc.array(fc.integer({ min: 30, max: 200 }), { minLength: 2, maxLength: 4 }),
  );
  await fc.assert(
    fc.asyncProperty(bodies, async ([parts, budgets]) => {
      const content = parts.map((words) => ({ type: 'text', text: words.join('') }));
      let messages: Plain[] = [
        { role: 'assistant', content },
        { role: 'user', content: 'And?' },
      ];
      const options = { encoding: 'o200k_base', count: 'content', return: 'conversation' };
      for (const budget_tokens of budgets.sort((a, b) => b - a)) {
        const { fitted } = await fitter.preflight({ ...options, messages, budget_tokens });
        if (fitted === undefined) return;
        const fittedMessages = fitted.conversation.messages;
        const again = await fitter.preflight({ ...options, messages: fittedMessages, budget_tokens });
        expect(again.fitted?.edits).toEqual([]);
        if (fitted.edits.length > 0) {
          const texts = textsOf(fittedMessages[0]?.content);
          const given = textsOf(messages[0]?.content)[texts.length - 1] ?? '';
          const last = texts.at(-1) ?? '';
          cuts += 1;
          expect(last.endsWith(MARK)).toBe(true);
          if (given.endsWith(MARK)) expect(last.length).toBeLessThanOrEqual(given.length);
        }
        messages = fittedMessages;
      }
    }),
    runs(300),
  );
  expect(cuts).toBeGreaterThan(0);
});

function mediaOf(content: unknown): unknown[] {
  return Array.isArray(content) ? content.filter(({ type }) => type !== 'text') : [];
}
