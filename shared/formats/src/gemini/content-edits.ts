import {
  type Conversation,
  type Cut,
  cutContent,
  type Edit,
  type Fitted,
  isObject,
  type Json,
  type JsonObject,
  type Steps,
  type TextRef,
} from '@preflight/core';
import { changedAt } from '../changed.js';
import { noteParts } from '../chat/content.js';
import { applyListEdits, type EditableList, listEdits } from '../list-edits.js';
import { STEP_ITEMS } from '../step-items.js';
import { isFile } from './content-files.js';
import { spelledField } from './spelling.js';
import { type TextPlace, textPlaceOf } from './text-place.js';

const CONTENTS: EditableList = {
  list: 'contents',
  contentPath: () => ['parts'],
  cutContent: cutParts,
  withAttachmentNotes: (parts, noteAt) =>
    noteParts(parts, noteAt, { isAttachment: isFile, partOf: (text) => ({ text }) }),
};

/** Contents dropped, and their parts replaced. */
export function contentEdits(
  request: JsonObject,
  conversation: Conversation,
  decision: Fitted,
): Steps<Edit[]> {
  return listEdits(request, { conversation, decision }, CONTENTS);
}

export function applyContentEdits(request: JsonObject, edits: readonly Edit[]): Steps<JsonObject> {
  return applyListEdits(request, edits, CONTENTS);
}

/**
 * Parts after a cut: texts before it stay whole, the cut one carries the marker, later ones go. What a function answered
 * stays, without its text, since there must be an answer to each call; and so does a text that carries a signature.
 */
function* cutParts(parts: Json | undefined, texts: readonly TextRef[], cut: Cut): Steps<Json> {
  const keptTexts = yield* cutContent(texts, cut);
  const kept: Json[] = [];
  let textIndex = 0;
  for (const [index, part] of (Array.isArray(parts) ? parts : []).entries()) {
    if (index % STEP_ITEMS === STEP_ITEMS - 1) yield;
    const place = isObject(part) ? textPlaceOf(part) : undefined;
    if (!isObject(part) || place === undefined) {
      kept.push(part);
      continue;
    }
    const text = keptTexts[textIndex++];
    if (text !== undefined || mustStay(part, place)) kept.push(changedAt(part, place, () => text ?? ''));
  }
  return kept;
}

function mustStay(part: JsonObject, place: TextPlace): boolean {
  return place[0] !== 'text' || spelledField(part, 'thoughtSignature') !== undefined;
}
