import type { Attachment, Json, JsonObject, Message, TextRef } from '@preflight/core';
import { readContent } from './chat-content.js';
import type { IssueList } from './issue-list.js';
import { isAbsent, isObject, isText } from './json-kinds.js';

/** Attachments that a format keeps beside the content. */
export type ReadFiles = (message: JsonObject, pointer: string, issues: IssueList) => readonly Attachment[];

/** A message in the shape of Chat Completions (formats.md §1, §2), which Langroid's format extends. */
export function readMessage(
  json: Json,
  pointer: string,
  issues: IssueList,
  readFiles: ReadFiles | undefined,
): Message | undefined {
  if (!isObject(json)) {
    issues.add(pointer, 'must be an object');
    return undefined;
  }
  const role = readRole(json.role, `${pointer}/role`, issues);
  const content = readContent(json.content, role, `${pointer}/content`, issues);
  const files = readFiles === undefined || role !== 'user' ? [] : readFiles(json, pointer, issues);
  const name = issues.readText(json.name, `${pointer}/name`);
  const toolCalls = issues.readObjects(json.tool_calls, `${pointer}/tool_calls`);
  const functionCall = issues.readObject(json.function_call, `${pointer}/function_call`);
  const otherTexts = withRefusal(content.otherTexts, json.refusal);
  if (role === undefined) return undefined;
  return {
    role,
    texts: content.texts,
    attachments: files.length === 0 ? content.attachments : [...content.attachments, ...files],
    ...(name === undefined ? {} : { name }),
    ...(toolCalls === undefined ? {} : { toolCalls }),
    ...(functionCall === undefined ? {} : { functionCall }),
    ...(otherTexts.length === 0 ? {} : { otherTexts }),
  };
}

function readRole(value: Json | undefined, pointer: string, issues: IssueList): string | undefined {
  if (typeof value === 'string' && value !== '') return value;
  issues.add(pointer, isText(value) && value !== '' ? 'is too long' : 'must be a string that is not empty');
  return undefined;
}

function withRefusal(texts: readonly TextRef[], refusal: Json | undefined): readonly TextRef[] {
  return !isAbsent(refusal) && isText(refusal) ? [...texts, refusal] : texts;
}
