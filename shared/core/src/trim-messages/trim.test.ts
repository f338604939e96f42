import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runs } from '../../../../test/harness/runs.js';
import type { Edit } from '../edits.js';
import { finish } from '../steps.js';
import { planApproximate } from './approximate/approximate-plan.js';
import { trimHazards } from './hazards.js';
import { keepPieces } from './keep-pieces.js';
import { lengthCosts } from './length-costs.js';
import type { ListedMessage } from './listed-message.js';
import { lists, trimOptions } from './testing/generated-lists.js';
import {
  approximateTokens,
  referenceTrim,
  type SimpleMessage,
  simpleMessage,
} from './testing/reference-trim.js';
import { startTrim } from './trim.js';
import { trimChanges } from './trim-decision.js';
import { trimEdits } from './trim-edits.js';
import { checkTrimOptions, type TrimOptions } from './trim-options.js';

const options: TrimOptions = {
  maxTokens: 100,
  strategy: 'last',
  allowPartial: false,
  endOn: [],
  startOn: [],
  includeSystem: false,
  splitter: 'lines',
};

const characters = {
  count: (text: Uint8Array) => [...Buffer.from(text).toString()].length,
  exceeds: (text: Uint8Array, maxUnits: number) => [...Buffer.from(text).toString()].length > maxUnits,
};

function trim(messages: readonly ListedMessage[], given: TrimOptions) {
  const { costs } = finish(planApproximate(messages)).finish(new Int32Array());
  const { step, decide } = startTrim(costs, given);
  if (step.type === 'decided') return step.decision;
  const text = messages[step.index]?.parts[step.part]?.text as string;
  return decide(keepPieces(Buffer.from(text), step, characters));
}

test('generated lists, against lists that are tried one after the other', () => {
  const property = fc.property(lists, trimOptions, (messages, given) => {
    const listed = messages.map((message) => message.listed);
    const decision = trim(listed, given);
    const kept = referenceTrim(messages, given);
    expect(applied(messages, trimEdits(listed, decision))).toEqual(
      kept.map(({ index, message }) => ({ index, content: message.content })),
    );
    const after = kept.reduce((sum, { message }) => sum + approximateTokens(message), 0);
    expect(decision.tokens.after).toBe(after);
  });
  fc.assert(property, runs(1000));
});

function applied(messages: readonly SimpleMessage[], edits: readonly Edit[]): object[] {
  const changes = new Map(edits.flatMap((edit) => ('index' in edit ? [[edit.index, edit] as const] : [])));
  return messages.flatMap(({ content }, index) => {
    const edit = changes.get(index);
    if (edit?.op === 'drop') return [];
    return [{ index, content: edit?.op === 'replace_content' ? edit.content : content }];
  });
}

const user = simpleMessage('user', 'hi').listed;
const system = simpleMessage('system', 'rules').listed;
const calling: ListedMessage = {
  ...simpleMessage('assistant', '').listed,
  toolCalls: [
    { id: 'a', name: 'f', args: '{}' },
    { id: 'b', name: 'f', args: '{}' },
  ],
};
const result = (toolCallId: string): ListedMessage => ({ ...simpleMessage('tool', 'ok').listed, toolCallId });

describe('hazards', () => {
  const hazardsOf = (
    messages: readonly ListedMessage[],
    maxTokens: number,
    given: Partial<TrimOptions> = {},
  ) => {
    const { step } = startTrim(lengthCosts(messages), { ...options, maxTokens, ...given });
    if (step.type !== 'decided') throw new Error('nothing is shortened');
    return finish(trimHazards(messages, step.decision));
  };
  const pair = [user, calling, result('a'), result('b')];

  test('calls and results', () => {
    expect(hazardsOf(pair, 4)).toEqual([]);
    expect(hazardsOf(pair, 2)).toEqual(['orphan_tool_result:2', 'orphan_tool_result:3']);
    expect(hazardsOf(pair, 3, { strategy: 'first' })).toEqual(['unanswered_tool_call:1']);
    expect(hazardsOf([result('a'), calling, result('b')], 3)).toEqual(['orphan_tool_result:0']);
  });

  test('of the whole', () => {
    expect(hazardsOf([], 0)).toEqual([]);
    expect(hazardsOf([user], 0)).toEqual(['empty']);
    expect(hazardsOf([], -1)).toEqual(['over_budget']);
    expect(hazardsOf([system, user], 0, { includeSystem: true })).toEqual(['over_budget', 'system_only']);
  });
});

test('the reason of a change is the option that asked for it', () => {
  const messages = [system, user, calling, user, user, calling];
  const given: TrimOptions = {
    ...options,
    maxTokens: 3,
    includeSystem: true,
    endOn: ['user'],
    startOn: ['human'],
  };
  const { step } = startTrim(lengthCosts(messages), given);
  expect(step.type === 'decided' && trimChanges(6, step.decision).map(({ reason }) => reason)).toEqual([
    null,
    'max_tokens',
    'max_tokens',
    null,
    null,
    'end_on',
  ]);
});

test.each([
  [{ strategy: 'first', startOn: ['user'], includeSystem: true }, 'start_on_with_first'],
  [{ strategy: 'first', includeSystem: true }, 'include_system_with_first'],
  [{ strategy: 'middle', startOn: ['user'] }, 'unknown_strategy'],
] as const)('%j is refused', (given, code) => {
  expect(checkTrimOptions({ ...options, ...given })).toMatchObject({ code });
});

test('a list of 100,000 messages', () => {
  const messages = Array.from({ length: 100_000 }, () => user);
  const decision = trim(messages, { ...options, maxTokens: 250_000, startOn: ['user'] });
  finish(trimHazards(messages, decision));
  expect(trimEdits(messages, decision).length).toBe(100_000 - 250_000 / 5);
});
