import type { Warning } from '@preflight/contracts';
import {
  isAbsent,
  isObject,
  type Json,
  type JsonObject,
  PreflightError,
  type TextRef,
} from '@preflight/core';
import type { TSchema } from 'typebox';
import type { ErrorBody } from '../problems/refusal-for.js';
import type { CountReport } from './count-report.js';

/**
 * A count call as a vendor serves it. What it counts is what `/v1/count` counts: `read` says which of its requests asks
 * the same, `write` puts its answer in the vendor's words. Both are pure.
 */
export interface VendorCount {
  /** Where it is served, as Fastify writes routes. */
  readonly urls: readonly string[];
  /** One line of the API documentation. */
  readonly summary: string;
  /** What the body may hold. It documents; what counts in a body is checked by its format. */
  readonly body: TSchema;
  readonly answer: TSchema;
  readonly error: TSchema;
  /** Throws PreflightError, with places in the given body. `model` is that of the address, where it names one. */
  read(body: JsonObject, model: string | undefined): CountQuestion;
  write(counted: Counted): JsonObject;
  readonly errorBody: ErrorBody;
}

/** What is asked of `/v1/count`. */
export interface CountQuestion {
  readonly request: JsonObject;
  /** Where the provider's request stands in the body as it came, as the start of JSON pointers. */
  readonly pointerPrefix?: string;
  readonly model: string | undefined;
  /** What is to be told besides of how the body was read. */
  readonly warnings?: readonly Warning[];
  /** A text whose tokens are asked for as well. */
  readonly idsOf?: TextRef;
}

/** What was counted. */
export interface Counted {
  readonly tokens: number;
  readonly model: string | undefined;
  /** Null for models that are not in the catalog. */
  readonly contextWindowTokens: number | null;
  readonly report: CountReport;
  /** Ids of the tokens, if they were asked for. */
  readonly ids: readonly number[];
}

/** A body that is an object. Throws `invalid_request`. */
export function readObjectBody(body: Json | undefined): JsonObject {
  if (isObject(body)) return body;
  throw invalid('', 'must be an object');
}

/** The model that a body names, if it does. Throws `invalid_request`. */
export function readModel({ model }: JsonObject): string | undefined {
  if (isAbsent(model)) return undefined;
  if (typeof model === 'string') return model;
  throw invalid('/model', 'must be a short string');
}

/** Something is wrong at one place of a body. */
export function invalid(pointer: string, detail: string): PreflightError {
  return new PreflightError('invalid_request', { issues: [{ pointer, detail }] });
}
