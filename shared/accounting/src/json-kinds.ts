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
