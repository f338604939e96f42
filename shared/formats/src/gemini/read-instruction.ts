import { isAbsent, isObject, isText, type JsonObject, type Steps, type TextRef } from '@preflight/core';
import type { IssueList } from '../issue-list.js';
import { STEP_ITEMS } from '../step-items.js';
import { spelledField, spellingIn } from './spelling.js';

/** The texts of `systemInstruction`: a content with parts; SDKs take a text as well. */
export function* readInstruction(request: JsonObject, issues: IssueList): Steps<readonly TextRef[]> {
  const given = spelledField(request, 'systemInstruction');
  const pointer = `/${spellingIn(request, 'systemInstruction')}`;
  if (isAbsent(given)) return [];
  if (isText(given)) return [given];
  if (!isObject(given)) {
    issues.add(pointer, 'must be a content with parts');
    return [];
  }
  const texts: TextRef[] = [];
  for (const [index, part] of (issues.readObjects(given.parts, `${pointer}/parts`) ?? []).entries()) {
    if (index % STEP_ITEMS === STEP_ITEMS - 1) yield;
    const text = issues.readText(part.text, `${pointer}/parts/${index}/text`);
    if (text !== undefined) texts.push(text);
  }
  return texts;
}
