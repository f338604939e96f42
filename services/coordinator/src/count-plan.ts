import {
  attachmentCountable,
  isEmptyDataUri,
  messageOverhead,
  type Overhead,
  overheadRuleFor,
  requestOverhead,
} from '@preflight/accounting';
import type { CountJob } from '@preflight/contracts';
import { type Countable, type Ledger, PreflightError } from '@preflight/core';
import { Turn } from '@preflight/runtime';

/** Columns of a ledger that a countable adds to. */
type Column = 'contentTokens' | 'attachmentTokens' | 'otherTokens' | 'requestOverheadTokens';

/** Where the tokens of a countable go: added to the column, or taken off it. */
interface Place {
  readonly column: Column;
  readonly index: number;
  readonly sign: 1 | -1;
  readonly pointer?: string | undefined;
}

/** Everything of a conversation that has to be counted, and where each count goes. */
export interface CountPlan {
  readonly countables: readonly Countable[];
  /** The conversation's ledger once the tokens of all countables are known, in order. */
  ledger(tokens: Int32Array): Promise<Ledger>;
  /** Where a countable stands in the request, as a JSON pointer. */
  pointer(countableIndex: number): string;
  /** Messages with an attachment that has neither bytes nor a usable URL. */
  readonly emptyAttachments: readonly number[];
}

/**
 * Lists what is to be counted: content and attachments always; names, tool calls, schemas and chat overhead with
 * `count: "request"`. Reads no text; linear in the number of messages.
 */
export async function planCounts({ conversation, model, family, count }: CountJob): Promise<CountPlan> {
  const { messages, protectedCount } = conversation;
  const countables: Countable[] = [];
  const places: Place[] = [];
  const constants = { otherTokens: new Int32Array(messages.length), requestOverheadTokens: 0 };
  const emptyAttachments = new Set<number>();
  const add = (countable: Countable, place: Place) => {
    countables.push(countable);
    places.push(place);
  };
  const addOverhead = (overhead: Overhead, column: Column, index: number) => {
    const added: Place = { column, index, sign: 1 };
    for (const countable of overhead.countables) add(countable, added);
    for (const countable of overhead.subtracted) add(countable, { ...added, sign: -1 });
  };

  const rule = count === 'request' ? overheadRuleFor(family) : undefined;
  const turn = new Turn();
  for (const [index, message] of messages.entries()) {
    if (index % 256 === 0) await turn.breathe();
    for (const text of message.texts)
      if (text !== '') add([text], { column: 'contentTokens', index, sign: 1 });
    let file = 0;
    for (const attachment of message.attachments) {
      const pointer = attachment.kind === 'file' ? `/messages/${index}/files/${file++}` : undefined;
      const countable = attachmentCountable(attachment, model ?? '');
      add(countable, { column: 'attachmentTokens', index, sign: 1, pointer });
      if (isEmptyDataUri(attachment, model ?? '')) emptyAttachments.add(index);
    }
    if (rule === undefined) continue;
    const overhead = messageOverhead(message, rule);
    constants.otherTokens[index] = overhead.constantTokens;
    addOverhead(overhead, 'otherTokens', index);
  }
  if (rule !== undefined) {
    const overhead = requestOverhead(conversation, rule);
    constants.requestOverheadTokens = overhead.constantTokens;
    addOverhead(overhead, 'requestOverheadTokens', 0);
  }

  return {
    countables,
    emptyAttachments: [...emptyAttachments],
    pointer: (i) => places[i]?.pointer ?? '/messages',
    async ledger(tokens) {
      let requestOverheadTokens = constants.requestOverheadTokens;
      const columns = {
        contentTokens: new Int32Array(messages.length),
        attachmentTokens: new Int32Array(messages.length),
        otherTokens: constants.otherTokens.slice(),
      };
      for (const [i, { column, index, sign }] of places.entries()) {
        if (i % 1024 === 0) await turn.breathe();
        const signed = sign * (tokens[i] as number);
        if (column === 'requestOverheadTokens') requestOverheadTokens += signed;
        else columns[column][index] = (columns[column][index] as number) + signed;
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
