import { type FitStrategy, STRATEGIES } from '@preflight/core';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runs } from '../harness/runs.js';
import { cases } from './conversations.js';
import { Fitter } from './fit-case.js';
import { changeableRange } from './message-parts.js';

const fitter = new Fitter();

/** What can be cut is at its floor, whatever was tried beside it. */
function reasonBetween(names: readonly FitStrategy[]): string {
  const strategies = names.map((name) => STRATEGIES[name]);
  return (strategies.find(({ canCut }) => canCut) ?? strategies[0])?.unshrinkableReason ?? '';
}

const leavesNotes = (names: readonly FitStrategy[]) => names.some((name) => name.startsWith('elide_'));

test('figures of a refusal agree with each other and with the request', async () => {
  await fc.assert(
    fc.asyncProperty(cases(), async (one) => {
      const { body, request, problem, count } = await fitter.fit(one);
      if (problem === undefined) return;
      // What is wrong with the conversation whatever its size; the figures are those of the whole.
      if (problem.code === 'malformed_tool_history') return;
      const { figures = {}, unshrinkable = [] } = problem;
      const { context_window, max_output_tokens, min_output_tokens, buffer_tokens } = body as Record<
        string,
        number
      >;
      expect(problem).not.toHaveProperty('conversation');
      expect(figures).toEqual({
        history_tokens_before: count.tokens,
        history_tokens_after: expect.any(Number),
        budget: (context_window ?? 0) - (min_output_tokens ?? 0) - (buffer_tokens ?? 0),
        shortfall: Math.max(0, Number(figures.history_tokens_after) - Number(figures.budget)),
        context_window,
        max_output_tokens,
        min_output_tokens,
      });
      if (figures.shortfall === 0) {
        expect(unshrinkable).toEqual([]);
        expect(max_output_tokens).toBeLessThan(min_output_tokens ?? 0);
        return;
      }
      const left = unshrinkable.reduce(
        (sum, entry) => sum + entry.content_tokens + entry.attachment_tokens + entry.other_tokens,
        0,
      );
      expect(left).toBe(figures.history_tokens_after);
      expect(problem.hints?.length).toBeGreaterThan(0);
      const [start, lastUser] = changeableRange(body, request.messages);
      for (const { index, reason } of unshrinkable) {
        // What was left out in favour of a note can give no more, wherever it stands.
        if (index !== null && reason === 'at_floor' && leavesNotes(one.strategy)) continue;
        if (index === null) expect(reason).toBe('request_overhead');
        else if (index < start) expect(reason).toBe('system');
        // What was cut or is a note already can give no more, wherever it stands.
        else if (reason === 'at_floor') expect(one.strategy).not.toEqual(['drop_turns']);
        else if (lastUser === -1) expect(reason).toBe('no_user_message');
        else if (index === lastUser) expect(reason).toBe('last_user');
        else if (index > lastUser) expect(reason).toBe('after_last_user');
        else expect(reason).toBe(reasonBetween(one.strategy));
      }
    }),
    runs(400),
  );
});
