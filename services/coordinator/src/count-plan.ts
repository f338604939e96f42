import {
  attachmentCountable,
  isEmptyAttachment,
  messageOverhead,
  type Overhead,
  overheadRuleFor,
  requestOverhead,
  TOKEN_KINDS,
  type TokenKind,
} from '@preflight/accounting';
import type { CountJob, PreflightJob } from '@preflight/contracts';
import {
  type Attachment,
  type Conversation,
  ledgerRoles,
  loneColumns,
  type Message,
  mayWakeThinking,
  PreflightError,
  questionColumn,
  type Referring,
  type Steps,
  type TextRef,
  turnStarts,
  type UnreadableReason,
  unitsOf,
} from '@preflight/core';
import { NOT_COUNTED, type PlannedAttachment, planAttachment } from './attachments/plan-attachment.js';
import { LEDGER_COLUMNS, type LedgerPlan, OF_REQUEST } from './ledger-plan.js';
import { AS_COUNTED, kindOfOverhead, kindOfTexts, positionOf } from './text-kinds.js';
import { withSharedStrings } from './texts/shared-strings.js';

/** Countables that are listed in one step, much less than a millisecond. */
const STEP_COUNTABLES = 64;

/** Where the tokens of a countable go: added to the column of a message, or taken off it. */
interface Place {
  readonly column: (typeof LEDGER_COLUMNS)[number];
  readonly index: number;
  /** 0 for what is counted to be told, and does not decide. */
  readonly sign: 1 | -1 | 0;
}

/** Everything of a conversation that has to be counted, and where each count goes. */
export interface CountPlan {
  readonly countables: readonly Referring[];
  readonly ledger: LedgerPlan;
  readonly contents: ContentTexts;
  readonly attachments: readonly PlannedAttachment[];
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
 * Lists what is to be counted: content, attachments and instructions always; names, tool calls, schemas and chat
 * overhead with `count: "request"`. Reads no text; linear in the number of messages.
 */
export function* planCounts(job: CountJob | PreflightJob): Steps<CountPlan> {
  const { conversation, model, family, count, isLiteral, estimate, media } = job;
  const { messages, protectedCount } = conversation;
  const countables: Referring[] = [];
  const places = { columns: [] as number[], messages: [] as number[], signs: [] as number[] };
  const textKinds: number[] = [];
  const pointers = new Map<number, string>();
  const contents: number[] = [];
  const contentStarts = new Int32Array(messages.length + 1);
  const otherTokens = new Int32Array(messages.length);
  const kinds: number[] = [];
  let requestOverheadTokens = 0;
  const attachments: PlannedAttachment[] = [];
  const emptyAttachments = new Set<number>();
  const kindOfText = estimate === undefined ? () => AS_COUNTED : (text: TextRef) => kindOfTexts([text]);
  const add = (countable: Referring, { column, index, sign }: Place, textKind: number) => {
    textKinds.push(textKind);
    places.columns.push(LEDGER_COLUMNS.indexOf(column));
    places.messages.push(index);
    places.signs.push(sign);
    return countables.push(countable) - 1;
  };
  const addKind = (kind: TokenKind, index: number, first: number, constantTokens: number) =>
    kinds.push(index, TOKEN_KINDS.indexOf(kind), constantTokens, first, countables.length);
  const addOverhead = function* (
    overhead: Overhead,
    column: 'otherTokens' | 'requestOverheadTokens',
    index: number,
  ): Steps<void> {
    const { kind, constantTokens } = overhead;
    const first = countables.length;
    for (const countable of overhead.countables) {
      if (countables.length % STEP_COUNTABLES === 0) yield;
      const textKind = estimate === undefined ? AS_COUNTED : kindOfOverhead(kind, countable);
      add(yield* withSharedStrings(countable), { column, index, sign: 1 }, textKind);
    }
    for (const countable of overhead.subtracted) add(countable, { column, index, sign: -1 }, AS_COUNTED);
    if (column === 'otherTokens') otherTokens[index] = (otherTokens[index] as number) + constantTokens;
    else requestOverheadTokens += constantTokens;
    // What is left is formatting, of which every message has some.
    if (kind !== 'formatting')
      addKind(kind, column === 'otherTokens' ? index : OF_REQUEST, first, constantTokens);
  };

  const rule = count === 'request' ? (job.overheadRule ?? overheadRuleFor(family, model)) : undefined;
  const mayWake =
    rule !== undefined &&
    'fit' in job &&
    mayWakeThinking(job.fit) &&
    messages.some(({ idleTexts }) => idleTexts !== undefined);
  for (const [index, message] of messages.entries()) {
    if (index % STEP_COUNTABLES === 0) yield;
    const { role } = message;
    const resultTextsFrom = firstResultText(message);
    let firstResult = countables.length;
    for (const [at, text] of message.texts.entries()) {
      if (countables.length % STEP_COUNTABLES === 0) yield;
      if (at === resultTextsFrom) firstResult = countables.length;
      const place = { column: 'contentTokens', index, sign: 1 } as const;
      contents.push(text === '' ? -1 : add([text], place, kindOfText(text)));
    }
    contentStarts[index + 1] = contents.length;
    if (rule !== undefined && resultTextsFrom < message.texts.length)
      addKind('tool_results', index, firstResult, 0);
    for (const attachment of message.attachments) {
      if (countables.length % STEP_COUNTABLES === 0) yield;
      const countable = yield* attachmentCountable(attachment, model ?? '');
      const { decides, isCounted, ...planned } = planAttachment(attachment, countable, media);
      let position = NOT_COUNTED;
      if (isCounted) {
        const place = { column: 'attachmentTokens', index, sign: decides ? 1 : 0 } as const;
        position = add(yield* withSharedStrings(countable), place, positionOf('base64'));
        if (attachment.kind === 'file') pointers.set(position, attachment.pointer);
      }
      const isEmpty = isEmptyAttachment(attachment, model ?? '');
      if (isEmpty) emptyAttachments.add(index);
      const unreadable = isEmpty ? 'empty' : seenFault(attachment);
      attachments.push({
        ...planned,
        ...(unreadable && { unreadable }),
        ...{ message: index, role, countable: position },
      });
    }
    if (rule === undefined) continue;
    for (const overhead of yield* messageOverhead(message, rule))
      yield* addOverhead(overhead, 'otherTokens', index);
    for (const text of (mayWake && message.idleTexts) || [])
      add([text], { column: 'idleTokens', index, sign: 1 }, kindOfText(text));
    if (message.boundTexts === undefined || conversation.isPrefixChanged) continue;
    const first = countables.length;
    for (const text of message.boundTexts)
      add([text], { column: 'boundTokens', index, sign: 1 }, kindOfText(text));
    addKind('reasoning', index, first, 0);
  }
  if (conversation.instructions !== undefined) {
    const first = countables.length;
    for (const text of conversation.instructions)
      add([text], { column: 'requestOverheadTokens', index: 0, sign: 1 }, kindOfText(text));
    addKind('instructions', OF_REQUEST, first, 0);
  }
  if (conversation.front !== undefined) {
    const first = countables.length;
    for (const text of conversation.front.texts)
      add([text], { column: 'requestOverheadTokens', index: 0, sign: 1 }, kindOfText(text));
    addKind('instructions', OF_REQUEST, first, 0);
    if (rule !== undefined)
      for (const overhead of yield* messageOverhead(conversation.front, rule))
        yield* addOverhead(overhead, 'requestOverheadTokens', 0);
  }
  if (rule !== undefined)
    for (const overhead of yield* requestOverhead(withFront(conversation), rule))
      yield* addOverhead(overhead, 'requestOverheadTokens', 0);

  const { units, unitFaults } = isLiteral
    ? loneColumns(messages.length)
    : yield* unitsOf(messages, conversation);
  return {
    countables,
    ledger: {
      columns: new Uint8Array(places.columns),
      messages: new Int32Array(places.messages),
      signs: new Int8Array(places.signs),
      ...(estimate && { estimate, textKinds: new Uint8Array(textKinds) }),
      otherTokens,
      requestOverheadTokens,
      kinds: new Int32Array(kinds),
      isUser: turnStarts(messages, units),
      units,
      unitFaults,
      roles: ledgerRoles(messages),
      ...(mayWake && { questions: questionColumn(messages) }),
      protectedCount,
      ...(conversation.rolesAlternate && { rolesAlternate: true }),
      ...(conversation.startsWithUser && { startsWithUser: true }),
      ...(conversation.endsWithUser && { endsWithUser: true }),
      emptyAttachments: [...emptyAttachments],
    },
    contents: { texts: new Int32Array(contents), starts: contentStarts },
    attachments,
    pointer: (i) => pointers.get(i) ?? '',
  };
}

/** What any provider refuses of a file that is not empty: most do not mind what type an image is said to be. */
function seenFault({ media }: Attachment): UnreadableReason | undefined {
  const reason = media?.fault?.reason;
  if (reason === 'not_base64') return 'no_base64';
  return reason === 'other_kind' ? reason : undefined;
}

/** As the provider gets it. */
function withFront(conversation: Conversation): Conversation {
  const { front, messages } = conversation;
  return front === undefined ? conversation : { ...conversation, messages: [front, ...messages] };
}

/** The first text of a message that stands in a result; their number, if none does. */
function firstResultText({ role, texts, results, resultTextsFrom, startsTurn }: Message): number {
  if (resultTextsFrom !== undefined) return resultTextsFrom;
  const isAllResults = role === 'tool' || role === 'function' || startsTurn === false;
  return results !== undefined && isAllResults ? 0 : texts.length;
}

/** An error about one countable, with its place in the request instead of its number. */
export function atPlaceIn(plan: CountPlan, error: unknown): unknown {
  if (!(error instanceof PreflightError) || typeof error.params.item !== 'number') return error;
  const { item, ...params } = error.params;
  const issues = [{ pointer: plan.pointer(item), detail: error.publicDetail }];
  return new PreflightError(error.code, { ...error, params, issues, cause: error });
}
