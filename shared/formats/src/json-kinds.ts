import { type Json, type JsonObject, TextRange, type TextRef } from '@preflight/core';

/** A string of any length. */
export function isText(value: Json | undefined): value is TextRef {
  return typeof value === 'string' || value instanceof TextRange;
}

export function isObject(value: Json | undefined): value is JsonObject {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof TextRange)
  );
}

/** Absent, or null as clients write what they leave out. */
export function isAbsent(value: Json | undefined): value is null | undefined {
  return value === undefined || value === null;
}
