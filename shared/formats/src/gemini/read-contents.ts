import {
  type Attachment,
  isAbsent,
  isObject,
  isText,
  type Json,
  type JsonObject,
  type Message,
  type Steps,
  type TextRef,
} from '@preflight/core';
import { CallIds } from '../call-ids.js';
import { attachedPart } from '../files/media-part.js';
import type { IssueList } from '../issue-list.js';
import { readEach } from '../read-each.js';
import { STEP_ITEMS } from '../step-items.js';
import { isFile, PART_FILE_FIELDS } from './content-files.js';
import { partMediaWords } from './part-media.js';
import { spelledField, spellingIn, spellingsOf } from './spelling.js';
import { textPlaceOf } from './text-place.js';

/** `contents`: one message each. `resolution` is what the request says of how closely media are looked at. */
export function* readContents(
  contents: Json | undefined,
  issues: IssueList,
  resolution?: string | undefined,
): Steps<Message[]> {
  const reading = { issues, callIds: new CallIds(), resolution };
  const isShort = isText(contents) || isObject(contents);
  const expected = isShort ? SHORT_CONTENTS : 'must be an array of contents';
  return yield* readEach(contents, issues, (content) => readContent(content, reading), expected);
}

/** The vendor's SDK takes shorter forms; its interface gets none of them (formats.md §1). */
const SHORT_CONTENTS =
  'must be an array of contents: what the SDK takes in its place is sent as [{"role":"user","parts":[{"text":…}]}]';
const SHORT_PARTS = 'must be an array of parts: what the SDK takes in its place is sent as [{"text":…}]';

interface Reading {
  readonly issues: IssueList;
  readonly callIds: CallIds;
  readonly resolution: string | undefined;
}

type Draft = { -readonly [Field in keyof Message]: Message[Field] };

/** What the parts of a content come to. */
class PartLists {
  readonly texts: TextRef[] = [];
  readonly attachments: Attachment[] = [];
  readonly reasoning: TextRef[] = [];
  readonly otherTexts: TextRef[] = [];
  readonly otherParts: Json[] = [];
  readonly toolCalls: Json[] = [];
  readonly calls: string[] = [];
  readonly results: string[] = [];
  keepsAttachments = false;
  /** The first call of a step is the one with a signature. */
  hasUnsignedCall = false;
}

function* readContent(content: JsonObject, reading: Reading): Steps<Message | undefined> {
  const { issues } = reading;
  const role = isAbsent(content.role) ? 'user' : issues.readRole(content.role);
  const isShort = isText(content.parts) || isObject(content.parts);
  if (isShort) issues.add('/parts', SHORT_PARTS);
  const parts = isShort ? [] : (issues.readObjects(content.parts, '/parts') ?? []);
  const lists = new PartLists();
  for (const [index, part] of parts.entries()) {
    if (index % STEP_ITEMS === STEP_ITEMS - 1) yield;
    const answer = spelledField(part, 'functionResponse');
    if (isObject(answer)) yield* readAnswer(part, answer, { index, lists, reading });
    else readPart(part, index, lists, reading);
  }
  const { texts, attachments, reasoning, otherTexts, otherParts, toolCalls, calls, results } = lists;
  if (role === undefined) return undefined;
  const message: Draft = { role: ROLES.get(role) ?? role, texts, attachments };
  if (reasoning.length > 0) message.reasoning = reasoning;
  if (otherTexts.length > 0) message.otherTexts = otherTexts;
  if (otherParts.length > 0) message.otherParts = otherParts;
  if (toolCalls.length > 0) message.toolCalls = toolCalls;
  if (calls.length > 0) message.calls = calls;
  if (results.length > 0) message.results = results;
  if (lists.hasUnsignedCall) message.hasUnsignedCall = true;
  if (lists.keepsAttachments) message.keepsAttachments = true;
  // It answers calls, and asks nothing.
  if (results.length > 0 && results.length === parts.length) message.startsTurn = false;
  return message;
}

/** In neutral words. */
const ROLES: ReadonlyMap<string, string> = new Map([
  ['model', 'assistant'],
  ['function', 'tool'],
]);

/** What stands beside other fields of a part, and is nothing by itself. */
const SIGNATURES = spellingsOf('thoughtSignature');

function readPart(
  part: JsonObject,
  index: number,
  lists: PartLists,
  { issues, callIds, resolution }: Reading,
): void {
  const call = spelledField(part, 'functionCall');
  if (!isAbsent(part.text)) {
    const text = issues.readText(part.text, `/parts/${index}/text`);
    if (text !== undefined) (part.thought === true ? lists.reasoning : lists.texts).push(text);
  } else if (isObject(call)) {
    if (lists.calls.length === 0) lists.hasUnsignedCall = !spelledField(part, 'thoughtSignature');
    lists.calls.push(callIds.ofCall(call.id, call.name));
    lists.toolCalls.push({ function: { name: call.name ?? '', arguments: call.args ?? {} } });
  } else if (isFile(part)) {
    const place = { pointer: `/parts/${index}`, issues };
    lists.attachments.push(attachedPart(part, PART_FILE_FIELDS, partMediaWords(part, resolution), place));
    // A signature must come back with what it signs.
    if (spelledField(part, 'thoughtSignature') !== undefined) lists.keepsAttachments = true;
  }
  // Code that was run and what else comes with the provider's own tools: as the text that it travels as.
  else if (Object.entries(part).some(([name, value]) => value !== null && !SIGNATURES.includes(name)))
    lists.otherParts.push(part);
}

/**
 * What a function answered (formats.md §1): a text that may be cut, or data, which counts as the text that it travels as;
 * and files beside it.
 */
function* readAnswer(
  part: JsonObject,
  answer: JsonObject,
  { index, lists, reading }: { index: number; lists: PartLists; reading: Reading },
): Steps<void> {
  const { issues, callIds, resolution } = reading;
  const { id, name, response } = answer;
  lists.results.push(callIds.ofResult(id, name));
  const place = textPlaceOf(part);
  if (place === undefined) lists.otherParts.push({ name: name ?? '', response: response ?? {} });
  else {
    if (isText(name)) lists.otherTexts.push(name);
    lists.texts.push((response as JsonObject)[place.at(-1) as string] as TextRef);
  }
  if (isAbsent(answer.parts)) return;
  // Nothing but files may stand there.
  lists.keepsAttachments = true;
  const pointer = `/parts/${index}/${spellingIn(part, 'functionResponse')}/parts`;
  for (const [at, file] of (issues.readObjects(answer.parts, pointer) ?? []).entries()) {
    if (at % STEP_ITEMS === STEP_ITEMS - 1) yield;
    const filePlace = { pointer: `${pointer}/${at}`, issues };
    lists.attachments.push(attachedPart(file, PART_FILE_FIELDS, partMediaWords(file, resolution), filePlace));
  }
}
