import {
  type Conversation,
  type Cut,
  changeAt,
  type Edit,
  type Fitted,
  isObject,
  type Json,
  type JsonObject,
  type Steps,
  type TextRef,
} from '@preflight/core';
import { type NoteAt, notesByMessage } from './attachment-notes.js';
import { STEP_ITEMS } from './step-items.js';
import { type Path, valueAt } from './value-at.js';

/** How the messages of a format are edited, which stand in a list of the request. */
export interface EditableList {
  /** The field with the list. */
  readonly list: string;
  /** Where a message has its content. */
  contentPath(message: JsonObject): Path;
  /** The content of a message after a cut, in the form it had; `texts` are those of the message, uncut. */
  cutContent(content: Json | undefined, texts: readonly TextRef[], cut: Cut): Steps<Json>;
  /** The content with notes in the place of attachments; absent where none of them can be replaced. */
  withAttachmentNotes?(content: Json, noteAt: NoteAt, message: JsonObject): Json;
  /** The content without what is bound to its prefix (`boundTexts`), of formats that have such. */
  withoutBound?(content: Json): Json;
}

/**
 * The edits that a decision comes to: messages dropped, contents replaced, and what follows from any change for what
 * stands behind it. One pass; cuts are ordered by index.
 */
export function* listEdits(
  request: JsonObject,
  { conversation, decision }: { readonly conversation: Conversation; readonly decision: Fitted },
  { list, contentPath, cutContent, withAttachmentNotes, withoutBound = (content) => content }: EditableList,
): Steps<Edit[]> {
  const given = listOf(request, list);
  const { onChange, isPrefixChanged = false } = conversation;
  const edits: Edit[] = [];
  let nextCut = 0;
  const notes = notesByMessage(decision);
  for (const [index, { texts, boundTexts }] of conversation.messages.entries()) {
    if (index % STEP_ITEMS === STEP_ITEMS - 1) yield;
    const message = given[index];
    const cut = decision.cuts[nextCut]?.index === index ? decision.cuts[nextCut] : undefined;
    if (cut !== undefined) nextCut += 1;
    const noteAt = notes.get(index);
    const isLoose =
      boundTexts !== undefined &&
      (isPrefixChanged || edits.length > 0 || cut !== undefined || noteAt !== undefined);
    if (changeAt(decision, index).action === 'dropped') edits.push({ op: 'drop', index });
    else if (isObject(message) && (isLoose || cut !== undefined || noteAt !== undefined)) {
      let content = valueAt(message, contentPath(message)) ?? null;
      if (cut !== undefined) content = yield* cutContent(content, texts, cut);
      if (noteAt !== undefined && withAttachmentNotes)
        content = withAttachmentNotes(content, noteAt, message);
      if (isLoose) content = withoutBound(content);
      edits.push({ op: 'replace_content', index, content });
    }
  }
  const [first] = edits;
  const isChangedBefore = first !== undefined && 'index' in first && first.index <= (onChange?.upTo ?? -1);
  if (onChange && (isPrefixChanged || isChangedBefore)) edits.push(onChange.edit);
  return edits;
}

/** The request with the edits applied, in one pass over its messages. What does not change is shared. */
export function* applyListEdits(
  request: JsonObject,
  edits: readonly Edit[],
  { list, contentPath }: EditableList,
): Steps<JsonObject> {
  const given = listOf(request, list);
  const messages: Json[] = [];
  let next = 0;
  for (let index = 0; index <= given.length; index++) {
    if (index % STEP_ITEMS === STEP_ITEMS - 1) yield;
    for (let edit = edits[next]; edit?.op === 'insert' && edit.before === index; edit = edits[++next])
      messages.push(edit.message);
    if (index === given.length) break;
    const message = given[index] as Json;
    const edit = edits[next];
    const isEdited = (edit?.op === 'drop' || edit?.op === 'replace_content') && edit.index === index;
    if (isEdited) next += 1;
    if (!isEdited) messages.push(message);
    else if (edit.op === 'replace_content' && isObject(message))
      messages.push(withValue(message, contentPath(message), edit.content));
  }
  const edited = next === 0 ? request : { ...request, [list]: messages };
  return edits.slice(next).reduce(withField, edited);
}

function listOf(request: JsonObject, list: string): readonly Json[] {
  const given = request[list];
  return Array.isArray(given) ? given : [];
}

/** The request with one field set, by its JSON pointer. */
function withField(request: JsonObject, edit: Edit): JsonObject {
  if (edit.op !== 'set') throw new RangeError(`an edit out of order, or of no message: ${edit.op}`);
  const names = edit.pointer.split('/').slice(1);
  const path = names.map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));
  return withValue(request, path, edit.value) as JsonObject;
}

/** The value with another at a place inside it; objects on the way there are made. */
function withValue(given: Json | undefined, [name, ...rest]: readonly string[], value: Json): Json {
  if (name === undefined) return value;
  if (Array.isArray(given))
    return given.map((item, index) => (`${index}` === name ? withValue(item, rest, value) : item));
  const object = isObject(given) ? given : {};
  return { ...object, [name]: withValue(object[name], rest, value) };
}
