import {
  attachmentCountable,
  isEmptyDataUri,
  messageOverhead,
  overheadRuleFor,
  requestOverhead,
} from '@preflight/accounting';
import type { CountJob } from '@preflight/contracts';
import { type Countable, type Ledger, PreflightError } from '@preflight/core';
import { Turn } from '@preflight/runtime';

/** Columns of a ledger that a countable adds to. */
type Column = 'contentTokens' | 'attachmentTokens' | 'otherTokens' | 'requestOverheadTokens';

/** Everything of a conversation that has to be counted, and where each count goes. */
export interface CountPlan {
  readonly countables: readonly Countable[];
  /** The conversation's ledger once the tokens of all countables are known, in order. */
  ledger(tokens: Int32Array): Ledger;
  /** Where a countable stands in the request, as a JSON pointer. */
  pointer(countableIndex: number): string;
  readonly emptyAttachments: readonly number[];
}

/**
 * Lists what is to be counted: content and attachments always; names, tool calls, schemas and chat overhead with
 * `count: "request"`. Reads no text; linear in the number of messages.
 */
export async function planCounts({ conversation, model, family, count }: CountJob): Promise<CountPlan> {
  const { messages, protectedCount } = conversation;
  const countables: Countable[] = [];
  const places: { column: Column; index: number; pointer?: string }[] = [];
  const constants = { otherTokens: new Int32Array(messages.length), requestOverheadTokens: 0 };
  const emptyAttachments: number[] = [];
  const add = (column: Column, index: number, countable: Countable, pointer?: string) => {
    countables.push(countable);
    places.push(pointer === undefined ? { column, index } : { column, index, pointer });
  };

  const rule = count === 'request' ? overheadRuleFor(family) : undefined;
  const turn = new Turn();
  for (const [index, message] of messages.entries()) {
    if (index % 256 === 0) await turn.breathe();
    for (const text of message.texts) if (text !== '') add('contentTokens', index, [text]);
    let file = 0;
    for (const attachment of message.attachments) {
      const pointer = attachment.kind === 'file' ? `/messages/${index}/files/${file++}` : undefined;
      add('attachmentTokens', index, attachmentCountable(attachment, model ?? ''), pointer);
      if (isEmptyDataUri(attachment, model ?? '')) emptyAttachments.push(index);
    }
    if (rule === undefined) continue;
    const overhead = messageOverhead(message, rule);
    constants.otherTokens[index] = overhead.constantTokens;
    for (const countable of overhead.countables) add('otherTokens', index, countable);
  }
  if (rule !== undefined) {
    const overhead = requestOverhead(conversation, rule);
    constants.requestOverheadTokens = overhead.constantTokens;
    for (const countable of overhead.countables) add('requestOverheadTokens', 0, countable);
  }

  return {
    countables,
    emptyAttachments,
    pointer: (i) => places[i]?.pointer ?? '/messages',
    ledger(tokens) {
      let requestOverheadTokens = constants.requestOverheadTokens;
      const columns = {
        contentTokens: new Int32Array(messages.length),
        attachmentTokens: new Int32Array(messages.length),
        otherTokens: constants.otherTokens.slice(),
      };
      for (const [i, { column, index }] of places.entries()) {
        if (column === 'requestOverheadTokens') requestOverheadTokens += tokens[i] as number;
        else columns[column][index] = (columns[column][index] as number) + (tokens[i] as number);
      }
      const isUser = Uint8Array.from(messages, (message) => (message.role === 'user' ? 1 : 0));
      return { ...columns, isUser, protectedCount, requestOverheadTokens };
    },
  };
}

/** An error about one countable, with its place in the request instead of its number. */
export function atPlaceIn(plan: CountPlan, error: unknown): unknown {
  if (!(error instanceof PreflightError) || typeof error.params.item !== 'number') return error;
  const { item, ...params } = error.params;
  const issues = [{ pointer: plan.pointer(item), detail: error.publicDetail }];
  return new PreflightError(error.code, { ...error, params, issues, cause: error });
}
