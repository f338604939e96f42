import { type Edit, isObject, type Json, type JsonObject, type Steps } from '@preflight/core';
import { STEP_ITEMS } from '../step-items.js';
import { type Addressed, findViolations, messagesOf } from './find.js';
import type { Finding, Remedy } from './legality.js';
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
 * The smallest legal version: what breaks a rule is left out, put in order or joined, round after round; nothing is
 * invented. The given request is not changed. Linear in the request for each round.
 */
export function* repair(given: JsonObject, addressed: Addressed): Steps<Repaired> {
  const { list } = addressed.legality;
  let drafts: Draft[] = messagesOf(given, list).map((message, index) => ({ index, message }));
  let request = given;
  let found = yield* findViolations(given, addressed);
  for (let round = 0; round < MAX_ROUNDS && found.some(({ remedy }) => remedy !== undefined); round++) {
    const next = yield* remedied(drafts, found, addressed);
    const outside = mendedFields(request, found);
    const isAsBefore = next.length === drafts.length && next.every((draft, i) => draft === drafts[i]);
    if (isAsBefore && outside === request) break;
    drafts = next;
    const messages = drafts.map(({ message }) => message);
    request = { ...outside, ...(Array.isArray(given[list]) && { [list]: messages }) };
    found = yield* findViolations(request, addressed);
  }
  return { edits: yield* editsOf(given, request, { drafts, list }), request, remaining: found };
}

/** Fields outside the list with their strings mended. */
function mendedFields(request: JsonObject, found: readonly Finding[]): JsonObject {
  const fields = found
    .filter(({ index, remedy }) => index === undefined && remedy?.op === 'mend_strings')
    .map(({ path }): [string, Json] => [String(path[0]), mended(request[String(path[0])] as Json)]);
  return fields.length === 0 ? request : { ...request, ...Object.fromEntries(fields) };
}

function* remedied(
  drafts: readonly Draft[],
  found: readonly Finding[],
  addressed: Addressed,
): Steps<Draft[]> {
  const byIndex = new Map<number, Remedy[]>();
  for (const { index, remedy } of found) {
    if (index === undefined || remedy === undefined) continue;
    const known = byIndex.get(index);
    if (known === undefined) byIndex.set(index, [remedy]);
    else known.push(remedy);
  }
  const left: Draft[] = [];
  let swapped: Draft | undefined;
  for (const [position, draft] of drafts.entries()) {
    if (position % STEP_ITEMS === STEP_ITEMS - 1) yield;
    const remedies = byIndex.get(position) ?? [];
    const message = yield* changed(draft.message, remedies, addressed);
    if (message === undefined) continue;
    const next = message === draft.message ? draft : { index: draft.index, message };
    const previous = left.at(-1);
    const mayJoin = isObject(previous?.message) && isObject(message) && !isTouched(remedies);
    if (has(remedies, 'join_previous') && mayJoin && previous !== undefined)
      left[left.length - 1] = {
        index: previous.index,
        message: joined(previous.message as JsonObject, message as JsonObject),
      };
    else if (has(remedies, 'swap_next') && position + 1 < drafts.length) swapped = next;
    else {
      left.push(next);
      if (swapped !== undefined) left.push(swapped);
      swapped = undefined;
    }
  }
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
  return has(remedies, 'mend_strings') ? mended(ordered) : ordered;
}

/** What leads from the given request to the repaired one, in the order of edits. */
function* editsOf(
  given: JsonObject,
  repaired: JsonObject,
  { drafts, list }: { readonly drafts: readonly Draft[]; readonly list: string },
): Steps<Edit[]> {
  const edits: Edit[] = [];
  const messages = messagesOf(given, list);
  let next = 0;
  for (let index = 0; index < messages.length; index++) {
    if (index % STEP_ITEMS === STEP_ITEMS - 1) yield;
    const draft = drafts[next];
    // Of two that changed places, the one that came first stands behind the other.
    if (draft !== undefined && draft.index === index + 1 && drafts[next + 1]?.index === index) {
      edits.push({ op: 'insert', before: index, message: draft.message as JsonObject });
      const behind = drafts[next + 1] as Draft;
      if (behind.message !== messages[index])
        edits.push(
          { op: 'insert', before: index, message: behind.message as JsonObject },
          { op: 'drop', index },
        );
      edits.push({ op: 'drop', index: index + 1 });
      index += 1;
      next += 2;
    } else if (draft?.index !== index) edits.push({ op: 'drop', index });
    else {
      if (draft.message !== messages[index])
        edits.push(
          { op: 'insert', before: index, message: draft.message as JsonObject },
          { op: 'drop', index },
        );
      next += 1;
    }
  }
  const outside = Object.keys(given).filter((name) => name !== list && given[name] !== repaired[name]);
  for (const name of outside)
    edits.push({
      op: 'set',
      pointer: `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`,
      value: repaired[name] as Json,
    });
  return edits;
}
