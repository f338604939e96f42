import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Plain } from './conversations.js';
import { Fitter } from './fit-case.js';

interface Message extends Plain {
  readonly role: string;
  readonly tool_calls?: readonly { readonly id: string }[];
  readonly tool_call_id?: string;
}

const fitter = new Fitter();

const vectors = readFileSync(join(import.meta.dirname, '../conformance/vectors/langchain-trim.jsonl'), 'utf8')
  .trim()
  .split('\n')
  .map((line): { input: { messages: Message[] } } => JSON.parse(line));
const conversations = [...new Set(vectors.map(({ input }) => JSON.stringify(input.messages)))].map(
  (json): Message[] => JSON.parse(json),
);

const BUDGETS = 8;

const OPTIONS: Plain[] = [
  {},
  { shorten: true },
  { repair: true },
  { repair: true, shorten: true, pin_newest_user: false },
  { start_on: ['user', 'assistant'], repair: true },
  { end_on: ['user', 'tool'], repair: true },
];

describe('trim, on the inputs of every vector and from no budget to one for all (langchain-trim §10)', () => {
  test.each(OPTIONS)('%j', async (trim) => {
    let fits = 0;
    for (const messages of conversations) {
      const { tokens } = await fitter.count({ encoding: 'o200k_base', messages });
      let keptBefore = 0;
      for (let step = 0; step <= BUDGETS; step++) {
        const budget_tokens = Math.ceil((tokens * step) / BUDGETS);
        const body = { encoding: 'o200k_base', messages, strategy: 'trim', trim, budget_tokens };
        const { fitted, problem } = await fitter.preflight({ ...body, return: 'conversation' });
        if (fitted === undefined) {
          expect(problem?.status).toBe(422);
          expect(problem?.figures).toMatchObject({ budget: budget_tokens });
          expect(keptBefore).toBe(0);
          continue;
        }
        fits += 1;
        const left = fitted.conversation.messages as Message[];
        const kept = fitted.messages.filter(({ action }) => action !== 'dropped').map(({ index }) => index);
        const recount = await fitter.count({ encoding: 'o200k_base', messages: left });
        expect(recount.tokens).toBe(fitted.tokens.after);
        expect(recount.tokens).toBeLessThanOrEqual(budget_tokens);
        expectOmissions(messages, left, kept, trim);
        expectPins(messages, kept, fitted, trim);
        expectPairs(left);
        expect(kept.length).toBeGreaterThanOrEqual(keptBefore);
        keptBefore = kept.length;
      }
    }
    expect(fits).toBeGreaterThan(conversations.length);
  });
});

/** In input order, and as they came but for content that was shortened. */
function expectOmissions(given: Message[], left: Message[], kept: number[], { shorten }: Plain): void {
  expect(left.length).toBe(kept.length);
  for (const [position, index] of kept.entries()) {
    if (!shorten) expect(left[position]).toEqual(given[index]);
    else expect({ ...left[position], content: null }).toEqual({ ...given[index], content: null });
  }
}

/** The system messages at the front, and the newest user message of what was not left out for other reasons. */
function expectPins(
  given: Message[],
  kept: number[],
  { messages }: { messages: { reason: string | null }[] },
  { pin_newest_user }: Plain,
): void {
  const front = given.findIndex(({ role }) => role !== 'system' && role !== 'developer');
  for (let index = 0; index < (front === -1 ? given.length : front); index++) expect(kept).toContain(index);
  if (pin_newest_user === false) return;
  const other = ['malformed', 'after_end'];
  const newest = given.findLastIndex(
    ({ role }, index) => role === 'user' && !other.includes(messages[index]?.reason ?? ''),
  );
  if (newest !== -1) expect(kept).toContain(newest);
}

/** Every result has its call before it, and every call all its results, but for one at the end. */
function expectPairs(messages: Message[]): void {
  const open = new Map<string, number>();
  for (const [index, message] of messages.entries()) {
    for (const call of message.tool_calls ?? []) {
      expect(open.has(call.id)).toBe(false);
      open.set(call.id, index);
    }
    if (message.role === 'tool') expect(open.delete(message.tool_call_id ?? '')).toBe(true);
  }
  for (const index of open.values())
    expect(messages.slice(index + 1).every(({ role }) => role === 'tool')).toBe(true);
}
