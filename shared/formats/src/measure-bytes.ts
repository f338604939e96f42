import {
  type AttachmentNote,
  attachmentNote,
  type Conversation,
  type Cut,
  type Edit,
  elisionNote,
  type Fitted,
  type Json,
  type JsonObject,
  jsonBytes,
  KEPT,
  type LedgerBytes,
  type Steps,
  textJsonBytes,
} from '@preflight/core';
import type { Format } from './format.js';
import { wireBytes } from './legality/find.js';
import { LEGALITIES, type Legality } from './legality/index.js';
import { STEP_ITEMS } from './step-items.js';

/**
 * What is to be measured: a request, and what was read of it; `placed` is an edit that it does not have yet, `beside` are fields that
 * it is sent with.
 */
export interface Measured {
  readonly format: Format;
  readonly request: JsonObject;
  readonly conversation: Conversation;
  readonly placed?: Edit | undefined;
  readonly beside?: JsonObject | undefined;
}

/**
 * Bytes of a request as compact JSON with the files that it names by digest, by message, and what cuts and notes would
 * take of them: known from what the format makes of decisions that cut and note everything there is. In steps.
 */
export function* measureBytes({
  format,
  request,
  conversation,
  placed,
  beside,
}: Measured): Steps<LedgerBytes> {
  const { messages } = conversation;
  const { isPrefixChanged = false, onChange } = conversation;
  const { list } = LEGALITIES[format.name] as Legality;
  const shapes = new Shapes(format, request, conversation);
  const unbound = messages.some(({ boundTexts }) => boundTexts !== undefined)
    ? yield* shapes.after({ isPrefixChanged: true })
    : request;
  const given = isPrefixChanged ? unbound : request;
  const emptied = yield* shapes.after({
    cuts: messages.flatMap(({ texts }, index) => (texts.length > 0 ? cutAll(index) : [])),
  });
  const noted = yield* shapes.after({ attachmentNotes: notesOf(format, conversation) });

  const column = () => new Float64Array(messages.length);
  const bytes = {
    content: column(),
    frames: column(),
    attachments: column(),
    other: column(),
    bound: column(),
  };
  const isNoted = new Set(notesOf(format, conversation).map(({ index }) => index));
  const [entries, unboundEntries, emptiedEntries, notedEntries] = [given, unbound, emptied, noted].map(
    (one) => entriesOf(one, list),
  ) as [readonly Json[], readonly Json[], readonly Json[], readonly Json[]];
  const sizeOf = function* (entry: Json | undefined): Steps<number> {
    return yield* wireBytes({ [list]: [entry ?? null] }, format);
  };
  const frame = yield* jsonBytes({ [list]: [] });
  for (const [index, { texts, boundTexts }] of messages.entries()) {
    if (index % STEP_ITEMS === STEP_ITEMS - 1) yield;
    const whole = (yield* sizeOf(entries[index])) - frame;
    const own = boundTexts === undefined ? whole : (yield* sizeOf(unboundEntries[index])) - frame;
    if (texts.length > 0) {
      const left = (yield* sizeOf(emptiedEntries[index])) - frame - elisionNote(1).length;
      bytes.content[index] = own - left;
      let textBytes = 0;
      for (const text of texts) textBytes += yield* textJsonBytes(text);
      bytes.frames[index] = Math.max(0, own - left - textBytes);
    }
    if (isNoted.has(index))
      bytes.attachments[index] =
        own - ((yield* sizeOf(notedEntries[index])) - frame - attachmentNote(1).length);
    bytes.bound[index] = whole - own;
    bytes.other[index] =
      whole + COMMA - (bytes.content[index] as number) - (bytes.attachments[index] as number);
  }
  const isList = Array.isArray(given[list]);
  const shell = yield* jsonBytes({
    ...beside,
    ...given,
    ...(given[list] !== undefined && { [list]: isList ? [] : '' }),
  });
  const between = isList && messages.length > 0 ? COMMA : 0;
  // A text in the place of a list has two quotes, as the list has two brackets, and no comma.
  const alone = isList ? 0 : messages.length * (COMMA + 2);
  const front =
    placed?.op === 'insert' ? (yield* jsonBytes(placed.message)) + (messages.length > 0 ? COMMA : 0) : 0;
  const changed = onChange && !isPrefixChanged ? yield* format.apply(request, [onChange.edit]) : undefined;
  return {
    ...bytes,
    requestOverhead: shell - between - alone + front,
    ...(onChange &&
      changed && {
        onChange: { upTo: onChange.upTo, bytes: (yield* jsonBytes(changed)) - (yield* jsonBytes(request)) },
      }),
  };
}

const COMMA = 1;

/** What a format makes of a request by made-up decisions. */
class Shapes {
  constructor(
    private readonly format: Format,
    private readonly request: JsonObject,
    private readonly conversation: Conversation,
  ) {}

  *after({
    isPrefixChanged = false,
    cuts = [],
    attachmentNotes = [],
  }: {
    readonly isPrefixChanged?: boolean;
    readonly cuts?: readonly Cut[];
    readonly attachmentNotes?: readonly AttachmentNote[];
  }): Steps<JsonObject> {
    const { format, request } = this;
    const conversation = { ...this.conversation, ...(isPrefixChanged && { isPrefixChanged }) };
    const decision = { ...UNCHANGED, changes: conversation.messages.map(() => KEPT), cuts, attachmentNotes };
    return yield* format.apply(request, yield* format.edits(request, conversation, decision));
  }
}

const UNCHANGED: Fitted = {
  outcome: 'fits',
  applied: [],
  maxOutputTokens: 0,
  tokens: { before: 0, after: 0, budget: 0, contextWindow: null, requestOverhead: 0 },
  changes: [],
  tokensAfter: new Int32Array(),
  cuts: [],
  attachmentNotes: [],
  drops: [],
  flags: [],
};

/** All texts of a message go, for a note. */
function cutAll(index: number): Cut {
  return { index, textIndex: 0, keepBytes: 0, elidedTokens: 1, contentTokens: 0 };
}

function notesOf({ canNoteAttachments }: Format, { messages }: Conversation): AttachmentNote[] {
  if (!canNoteAttachments) return [];
  return messages.flatMap(({ attachments, keepsAttachments }, index) =>
    attachments.length > 0 && !keepsAttachments ? [{ index, elidedTokens: 1 }] : [],
  );
}

/** A text stands for one message. */
function entriesOf(request: JsonObject, list: string): readonly Json[] {
  const given = request[list];
  if (Array.isArray(given)) return given;
  return given === undefined || given === null ? [] : [given];
}
