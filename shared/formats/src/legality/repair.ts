import { type Edit, isObject, type Json, type JsonObject, type Steps } from '@preflight/core';
import { STEP_ITEMS } from '../step-items.js';
import { type Addressed, findViolations, messagesOf } from './find.js';
import type { Finding, Remedy } from './legality.js';
import { loosened } from './loosen.js';
import { joined, withEmptyText, withoutParts, withResultsFirst } from './remedies.js';
import { mended } from './rules/strings.js';

/** A request after all its remedies. */
export interface Repaired {
  readonly edits: readonly Edit[];
  readonly request: JsonObject;
  /** What no remedy could end, in places of the repaired request. */
  readonly remaining: readonly Finding[];
}

/** What was done to one message of the list. */
interface Draft {
  /** Its place in the given list. */
  readonly index: number;
  readonly message: Json;
}

/** A message of more parts is left as it is: one is changed in one step. */
const MAX_PARTS = 10_000;

/** A remedy may uncover another fault: a call whose result had to go. Histories that need more rounds are left as they are then. */
const MAX_ROUNDS = 24;

/**
 * The least changes that mend a request, as far as any do: what breaks a rule is left out, put in order or joined, round after round; nothing is
 * invented. The given request is not changed. Linear in the request for each round.
 */
export function* repair(given: JsonObject, addressed: Addressed): Steps<Repaired> {
  const { list } = addressed.legality;
  let drafts: Draft[] = messagesOf(given, list).map((message, index) => ({ index, message }));
  let request = given;
  let found = yield* findViolations(given, addressed);
  for (let round = 0; round < MAX_ROUNDS && found.some(({ remedy }) => remedy !== undefined); round++) {
    const next = yield* remedied(drafts, found, addressed);
    const outside = yield* mendedFields(request, found);
    const isAsBefore = next.length === drafts.length && next.every((draft, i) => draft === drafts[i]);
    if (isAsBefore && outside === request) break;
    drafts = next;
    const messages = drafts.map(({ message }) => message);
    request = { ...outside, ...(Array.isArray(given[list]) && { [list]: messages }) };
    found = yield* findViolations(request, addressed);
  }
  const from = changedFrom(given, request, { drafts, list });
  if (from === undefined) return { edits: [], request, remaining: found };
  const { request: loose, set } = yield* loosened(request, from, addressed);
  const messages = messagesOf(loose, list);
  const looseDrafts = drafts.map(({ index }, position) => ({ index, message: messages[position] as Json }));
  const edits = yield* editsOf(given, loose, { drafts: looseDrafts, list });
  if (set === undefined) return { edits, request: loose, remaining: found };
  const told = yield* addressed.format.apply(loose, [set]);
  return { edits: [...edits, set], request: told, remaining: found };
}

/** The first position at which a message is another than it was, 0 if anything beside the list is; undefined if nothing is. */
function changedFrom(
  given: JsonObject,
  repaired: JsonObject,
  { drafts, list }: { readonly drafts: readonly Draft[]; readonly list: string },
): number | undefined {
  if (given === repaired) return undefined;
  const isChangedBeside = Object.keys(given).some((name) => name !== list && given[name] !== repaired[name]);
  if (isChangedBeside) return 0;
  const messages = messagesOf(given, list);
  const first = drafts.findIndex(({ message }, position) => message !== messages[position]);
  return first === -1 ? drafts.length : first;
}

/** Fields outside the list with their strings mended. */
function* mendedFields(request: JsonObject, found: readonly Finding[]): Steps<JsonObject> {
  const broken = found.filter(({ index, remedy }) => index === undefined && remedy?.op === 'mend_strings');
  if (broken.length === 0) return request;
  const fields: [string, Json][] = [];
  for (const { path } of broken) {
    const name = String(path[0]);
    fields.push([name, yield* mended(request[name] as Json)]);
  }
  return { ...request, ...Object.fromEntries(fields) };
}

function* remedied(
  drafts: readonly Draft[],
  found: readonly Finding[],
  addressed: Addressed,
): Steps<Draft[]> {
  const byIndex = new Map<number, Remedy[]>();
  for (const [position, { index, remedy }] of found.entries()) {
    if (position % STEP_ITEMS === STEP_ITEMS - 1) yield;
    if (index === undefined || remedy === undefined) continue;
    const known = byIndex.get(index);
    if (known === undefined) byIndex.set(index, [remedy]);
    else known.push(remedy);
  }
  const left: Draft[] = [];
  /** Messages that change places with what comes next. */
  let behindNext: Draft[] = [];
  /** The position of what is last in `left`: nothing is joined to another than it stood behind. */
  let leftPosition = -1;
  for (const [position, draft] of drafts.entries()) {
    if (position % STEP_ITEMS === STEP_ITEMS - 1) yield;
    const remedies = byIndex.get(position) ?? [];
    const message = yield* changed(draft.message, remedies, addressed);
    if (message === undefined) continue;
    const next = message === draft.message ? draft : { index: draft.index, message };
    const previous = left.at(-1);
    const isBehind = leftPosition === position - 1;
    const mayJoin = isBehind && isObject(previous?.message) && isObject(message) && !isTouched(remedies);
    if (has(remedies, 'join_previous') && mayJoin && previous !== undefined)
      left[left.length - 1] = {
        index: previous.index,
        message: joined(previous.message as JsonObject, message as JsonObject),
      };
    else if (has(remedies, 'swap_next')) {
      behindNext.push(next);
      continue;
    } else {
      left.push(next);
      for (const behind of behindNext) left.push(behind);
      behindNext = [];
    }
    leftPosition = position;
  }
  for (const draft of behindNext) left.push(draft);
  return left;
}

/** One thing after the other: messages are put together in the round after that in which one of them was changed. */
function isTouched(remedies: readonly Remedy[]): boolean {
  return remedies.some(({ op }) => op !== 'join_previous');
}

function has(remedies: readonly Remedy[], op: Remedy['op']): boolean {
  return remedies.some((remedy) => remedy.op === op);
}

/** A message after its own remedies; undefined if nothing of it is left. */
function* changed(
  message: Json,
  remedies: readonly Remedy[],
  { legality }: Addressed,
): Steps<Json | undefined> {
  if (has(remedies, 'drop')) return undefined;
  if (remedies.length === 0 || !isObject(message)) return message;
  const { parts } = yield* legality.read(message);
  if (parts.length > MAX_PARTS) return message;
  const leftOut = remedies.flatMap((remedy) => (remedy.op === 'leave_out' ? [remedy.part] : []));
  if (leftOut.length > 0) return withoutParts(message, parts, leftOut);
  const texts = remedies.flatMap((remedy) => (remedy.op === 'empty_text' ? [remedy.path] : []));
  const filled = texts.reduce((changed, path) => withEmptyText(changed, path), message);
  const ordered = has(remedies, 'results_first') ? withResultsFirst(filled, parts) : filled;
  return has(remedies, 'mend_strings') ? yield* mended(ordered) : ordered;
}

/** What leads from the given request to the repaired one, in the order of edits. */
function* editsOf(
  given: JsonObject,
  repaired: JsonObject,
  { drafts, list }: { readonly drafts: readonly Draft[]; readonly list: string },
): Steps<Edit[]> {
  const edits: Edit[] = [];
  const messages = messagesOf(given, list);
  const isMoved = movedAmong(drafts);
  const insert = (before: number, { message }: Draft) =>
    edits.push({ op: 'insert', before, message: message as JsonObject });
  let next = 0;
  let inPlace = firstInPlace(isMoved, 0);
  for (let index = 0; index < messages.length; index++) {
    if (index % STEP_ITEMS === STEP_ITEMS - 1) yield;
    const draft = drafts[inPlace];
    const isKept = draft?.index === index && draft.message === messages[index];
    if (draft?.index === index) {
      for (; next < inPlace; next++) insert(index, drafts[next] as Draft);
      if (!isKept) insert(index, draft);
      next += 1;
      inPlace = firstInPlace(isMoved, next);
    }
    if (!isKept) edits.push({ op: 'drop', index });
  }
  const outside = Object.keys(given).filter(
    (name) => !(name === list && Array.isArray(given[list])) && given[name] !== repaired[name],
  );
  for (const name of outside)
    edits.push({
      op: 'set',
      pointer: `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`,
      value: repaired[name] as Json,
    });
  return edits;
}

/** 1 for each message in front of one that stood before it. */
function movedAmong(drafts: readonly Draft[]): Uint8Array {
  const isMoved = new Uint8Array(drafts.length);
  let least = Number.POSITIVE_INFINITY;
  for (let position = drafts.length - 1; position >= 0; position--) {
    const { index } = drafts[position] as Draft;
    isMoved[position] = Number(index > least);
    least = Math.min(least, index);
  }
  return isMoved;
}

function firstInPlace(isMoved: Uint8Array, from: number): number {
  let position = from;
  while (isMoved[position] === 1) position += 1;
  return position;
}
