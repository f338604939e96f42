import {
  attachmentCountable,
  isEmptyAttachment,
  messageOverhead,
  type Overhead,
  overheadRuleFor,
  requestOverhead,
} from '@preflight/accounting';
import type { CountJob } from '@preflight/contracts';
import { PreflightError, type Referring } from '@preflight/core';
import { Turn } from '@preflight/runtime';
import { LEDGER_COLUMNS, type LedgerPlan } from './ledger-plan.js';

/** Where the tokens of a countable go: added to the column of a message, or taken off it. */
interface Place {
  readonly column: (typeof LEDGER_COLUMNS)[number];
  readonly index: number;
  readonly sign: 1 | -1;
}

/** Everything of a conversation that has to be counted, and where each count goes. */
export interface CountPlan {
  readonly countables: readonly Referring[];
  readonly ledger: LedgerPlan;
  readonly contents: ContentTexts;
  /** Where a countable stands in the request, as a JSON pointer. */
  pointer(countableIndex: number): string;
}

/** The texts of each message: those of message i are `texts[starts[i]]` up to `texts[starts[i + 1]]`. */
export interface ContentTexts {
  /** Position of each text in the list of what is counted; -1 for an empty one, which nobody counts. */
  readonly texts: Int32Array;
  readonly starts: Int32Array;
}

/**
 * Lists what is to be counted: content and attachments always; names, tool calls, schemas and chat overhead with
 * `count: "request"`. Reads no text; linear in the number of messages.
 */
export async function planCounts({ conversation, model, family, count }: CountJob): Promise<CountPlan> {
  const { messages, protectedCount } = conversation;
  const countables: Referring[] = [];
  const places: Place[] = [];
  const pointers = new Map<number, string>();
  const contents: number[] = [];
  const contentStarts = new Int32Array(messages.length + 1);
  const otherTokens = new Int32Array(messages.length);
  let requestOverheadTokens = 0;
  const emptyAttachments = new Set<number>();
  const add = (countable: Referring, place: Place) => {
    places.push(place);
    return countables.push(countable) - 1;
  };
  const addOverhead = (overhead: Overhead, column: Place['column'], index: number) => {
    for (const countable of overhead.countables) add(countable, { column, index, sign: 1 });
    for (const countable of overhead.subtracted) add(countable, { column, index, sign: -1 });
  };

  const rule = count === 'request' ? overheadRuleFor(family) : undefined;
  const turn = new Turn();
  for (const [index, message] of messages.entries()) {
    if (index % 256 === 0) await turn.breathe();
    for (const text of message.texts)
      contents.push(text === '' ? -1 : add([text], { column: 'contentTokens', index, sign: 1 }));
    contentStarts[index + 1] = contents.length;
    for (const attachment of message.attachments) {
      const countable = attachmentCountable(attachment, model ?? '');
      const position = add(countable, { column: 'attachmentTokens', index, sign: 1 });
      if (attachment.kind === 'file') pointers.set(position, attachment.pointer);
      if (isEmptyAttachment(attachment, model ?? '')) emptyAttachments.add(index);
    }
    if (rule === undefined) continue;
    const overhead = messageOverhead(message, rule);
    otherTokens[index] = overhead.constantTokens;
    addOverhead(overhead, 'otherTokens', index);
  }
  if (rule !== undefined) {
    const overhead = requestOverhead(conversation, rule);
    requestOverheadTokens = overhead.constantTokens;
    addOverhead(overhead, 'requestOverheadTokens', 0);
  }

  return {
    countables,
    ledger: {
      columns: Uint8Array.from(places, ({ column }) => LEDGER_COLUMNS.indexOf(column)),
      messages: Int32Array.from(places, ({ index }) => index),
      signs: Int8Array.from(places, ({ sign }) => sign),
      otherTokens,
      requestOverheadTokens,
      isUser: Uint8Array.from(messages, (message) => (message.role === 'user' ? 1 : 0)),
      protectedCount,
      emptyAttachments: [...emptyAttachments],
    },
    contents: { texts: Int32Array.from(contents), starts: contentStarts },
    pointer: (i) => pointers.get(i) ?? '',
  };
}

/** An error about one countable, with its place in the request instead of its number. */
export function atPlaceIn(plan: CountPlan, error: unknown): unknown {
  if (!(error instanceof PreflightError) || typeof error.params.item !== 'number') return error;
  const { item, ...params } = error.params;
  const issues = [{ pointer: plan.pointer(item), detail: error.publicDetail }];
  return new PreflightError(error.code, { ...error, params, issues, cause: error });
}
