import { isObject, type Json, type JsonObject } from '@preflight/core';
import type { IssueList } from '../issue-list.js';

/**
 * The calls of an assistant message: those that were read, and those that could not be, which are sent as well; where
 * there are none, those that the provider's answer left in the extra fields.
 */
export function callsOf(fields: JsonObject, place: string, issues: IssueList): readonly JsonObject[] {
  const read = issues.readObjects(fields.tool_calls, `${place}/tool_calls`) ?? [];
  const invalid = issues.readObjects(fields.invalid_tool_calls, `${place}/invalid_tool_calls`) ?? [];
  if (read.length + invalid.length > 0) return [...read, ...invalid];
  const extra = extraFields(fields);
  return issues.readObjects(extra.tool_calls, `${place}/additional_kwargs/tool_calls`) ?? [];
}

/** The legacy call of a function, which LangChain keeps in the extra fields. */
export function functionCallOf(fields: JsonObject): Json | undefined {
  const { function_call: call } = extraFields(fields);
  return isObject(call) ? call : undefined;
}

function extraFields({ additional_kwargs: extra }: JsonObject): JsonObject {
  return isObject(extra) ? extra : {};
}
