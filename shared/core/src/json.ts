import type { TextRef } from './text.js';

/** A JSON value in which long strings may be ranges of a shared buffer. Object keys are always strings. */
export type Json = null | boolean | number | TextRef | Json[] | JsonObject;

export interface JsonObject {
  [key: string]: Json;
}
