import {
  type Cut,
  cutContent,
  type Decision,
  type FitOptions,
  type FitStep,
  finish,
  type Ledger,
  loneColumns,
  MARK,
  replayFit,
  startFit,
} from '@preflight/core';
import { get_encoding, type Tiktoken } from 'tiktoken';
import { describe, expect, test } from 'vitest';
import { serializeFile } from './attachment-oracle.js';
import { type Expected, type Vector, type VectorMessage, vectors } from './langroid-vectors.js';

const BUFFER_TOKENS = 300;

const OUTCOMES = {
  fits: 'fits',
  shrink_output: 'output_reduced',
  truncate: 'truncated',
  drop_turns: 'turns_dropped',
  error: 'refused',
} as const;

test('all 395 vectors are there', () => {
  expect(vectors).toHaveLength(395);
});

describe('langroid-overflow.jsonl', () => {
  test.each(vectors.map((vector) => [vector.id, vector] as const))('%s', (_id, vector) => {
    const { input, expected } = vector;
    const encoder = encoders[input.encoding];
    const ledger = ledgerOf(vector, encoder);
    const options = optionsOf(vector, encoder);
    const { decision, asked, cuts } = run(ledger, options, input.messages, encoder);

    expect([...ledger.contentTokens]).toEqual(expected.content_tokens_before);
    expect([...ledger.attachmentTokens]).toEqual(expected.attachment_tokens_before);
    expect(decision.outcome).toBe(OUTCOMES[expected.stage]);
    expect(cuts.map((cut) => cut.index)).toEqual(expected.truncated_indices);
    expect(asked).toEqual(expected.trace.map((row) => row.keep_tokens));
    expect(cuts.map((cut) => cut.contentTokens)).toEqual(
      expected.trace.map((row) => row.content_tokens_after),
    );
    expectDecision(decision, expected, vector);
    expect(replayFit(ledger, options, cuts)).toEqual(decision);
  });
});

function expectDecision(decision: Decision, expected: Expected, { input }: Vector): void {
  if (decision.outcome === 'refused') {
    const { figures, unshrinkable } = decision;
    expect({
      code: decision.code,
      history_tokens_before: figures.historyTokensBefore,
      history_tokens_after: figures.historyTokensAfter,
      budget: figures.budget,
      shortfall: figures.shortfall,
      unshrinkable: unshrinkable.map((entry) => ({
        index: entry.index,
        reason: entry.reason,
        content_tokens: entry.contentTokens,
        attachment_tokens: entry.attachmentTokens,
      })),
    }).toEqual(expected.error);
    expect(figures.contextWindow).toBe(input.options.context_length);
    expect(figures.maxOutputTokens).toBe(input.options.max_output_tokens);
    expect(figures.minOutputTokens).toBe(input.options.min_output_tokens);
    return;
  }
  const dropped = new Set(decision.drops.flat());
  const kept = input.messages.flatMap((message, index) => {
    const cut = decision.cuts.find((candidate) => candidate.index === index);
    if (dropped.has(index)) return [];
    return cut ? [{ index, content: finish(cutContent([message.content ?? ''], cut))[0] }] : [{ index }];
  });
  const keptAfter = [...decision.tokensAfter].filter((_, index) => !dropped.has(index));

  expect(kept).toEqual(expected.kept);
  expect(decision.maxOutputTokens).toBe(expected.output_len);
  expect(decision.drops).toEqual(expected.dropped_turns);
  expect(decision.tokens).toEqual({
    before: expected.history_tokens_before,
    after: expected.history_tokens_after,
    budget: expected.budget,
    contextWindow: input.options.context_length,
    requestOverhead: 0,
  });
  expect(keptAfter).toEqual(
    expected.content_tokens_after.map((tokens, i) => tokens + (expected.attachment_tokens_after[i] ?? 0)),
  );
}

/** The loop of a thread: step, cut, recount, step. */
function run(ledger: Ledger, options: FitOptions, messages: VectorMessage[], encoder: Tiktoken) {
  const fit = startFit(ledger, options);
  const asked: number[] = [];
  const cuts: Cut[] = [];
  let step: FitStep = fit.step;
  while (step.type === 'cut') {
    const cut = cutMessage(messages[step.index]?.content ?? '', step, encoder);
    asked.push(step.keepTokens);
    cuts.push(cut);
    step = fit.next(cut);
  }
  return { decision: step.decision, asked, cuts };
}

function cutMessage(content: string, asked: { index: number; keepTokens: number }, encoder: Tiktoken): Cut {
  const keptBytes = encoder.decode(encoder.encode_ordinary(content).slice(0, asked.keepTokens));
  // A stream leaves out the character that is split at the end (langroid-overflow §10.3).
  const kept = new TextDecoder('utf-8', { ignoreBOM: true }).decode(keptBytes, { stream: true });
  return {
    index: asked.index,
    textIndex: 0,
    keepBytes: Buffer.byteLength(kept),
    contentTokens: encoder.encode_ordinary(kept + MARK).length,
  };
}

function ledgerOf({ input }: Vector, encoder: Tiktoken): Ledger {
  const count = (text: string) => encoder.encode_ordinary(text).length;
  const { messages, model } = input;
  const attachmentTokens = messages.map(({ role, files }) =>
    (role === 'user' ? (files ?? []) : []).reduce((sum, file) => sum + count(serializeFile(file, model)), 0),
  );
  return {
    contentTokens: Int32Array.from(messages, (message) => count(message.content ?? '')),
    attachmentTokens: Int32Array.from(attachmentTokens),
    otherTokens: new Int32Array(messages.length),
    ...loneColumns(messages.length),
    isUser: Uint8Array.from(messages, (message) => Number(message.role === 'user')),
    protectedCount: 1,
    requestOverheadTokens: 0,
  };
}

function optionsOf({ input }: Vector, encoder: Tiktoken): FitOptions {
  return {
    strategies: [input.options.strategy],
    contextWindowTokens: input.options.context_length,
    maxOutputTokens: input.options.max_output_tokens,
    minOutputTokens: input.options.min_output_tokens,
    bufferTokens: BUFFER_TOKENS,
    markerTokens: encoder.encode_ordinary(MARK).length,
  };
}

const encoders = { cl100k_base: get_encoding('cl100k_base'), o200k_base: get_encoding('o200k_base') };
