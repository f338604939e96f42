import { TextRange, type TextRef } from './text.js';

/** A JSON value in which long strings may be ranges of a shared buffer. Object keys are always strings. */
export type Json = null | boolean | number | TextRef | Json[] | JsonObject;

export interface JsonObject {
  [key: string]: Json;
}

/** A string of any length. */
export function isText(value: unknown): value is TextRef {
  return typeof value === 'string' || value instanceof TextRange;
}

/** An object of JSON, as against a list, null or a long string. */
export function isObject(value: unknown): value is JsonObject {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof TextRange)
  );
}

/** Absent, or null as clients write what they leave out. */
export function isAbsent(value: unknown): value is null | undefined {
  return value === undefined || value === null;
}
