import { isUtf8 } from 'node:buffer';
import { randomUUID } from 'node:crypto';
import { finish, type Json, PreflightError, type Steps } from '@preflight/core';
import { buildValue } from './build-value.js';
import { findLayout, type Layout } from './layout.js';
import { findEscaped, lift } from './lift.js';
import { refuseLarger } from './refuse-larger.js';
import { type SharedBytes, toSharedBytes } from './shared-bytes.js';
import { syntaxErrorOffset } from './syntax-error.js';

export interface ParseBodyOptions {
  /** Strings whose UTF-8 is longer than this become ranges. Default 4096. */
  readonly liftBytes?: number;
  /** Objects and arrays may be nested this deep. Default 128. */
  readonly maxDepth?: number;
  /** Values and members there may be. Default 1,000,000: some 50 bytes of memory each, 100 where every key is another. */
  readonly maxValues?: number;
  /** Members that one object may have. Default 10,000, since an object must be listed or sorted in one go. */
  readonly maxMembers?: number;
  /** Bytes that an object key may have. Default 65,536: keys stay strings. */
  readonly maxKeyBytes?: number;
  /** Text that is given to one call of JSON.parse, about. Default 32 KiB: a millisecond, 5 at the worst. */
  readonly groupBytes?: number;
  /**
   * Told how many bytes of memory the value takes beside the body, about, before it takes them; throws to refuse it.
   * `VALUE_BYTES` for each value, twice what is outside long strings, and long strings with escapes once more.
   */
  readonly reserve?: (bytes: number) => void;
}

/**
 * For one JSON value, and what is made of it until it has been answered: measured are 10 to 170 bytes in V8, by kind,
 * and up to 600 with messages, rows of the answer and garbage.
 */
const VALUE_BYTES = 400;

/** Longest body that is parsed: 500 MiB. What is left of it as one string must be shorter than V8's longest, 2^29 - 24 characters. */
export const MAX_BODY_BYTES = 500 * 1024 * 1024;

const DEFAULT_SHAPE = {
  maxDepth: 128,
  maxValues: 1_000_000,
  maxMembers: 10_000,
  maxKeyBytes: 64 * 1024,
  groupBytes: 32 * 1024,
};

/**
 * The value of a JSON body, with long strings as ranges of bytes instead of strings.
 *
 * Accepts, refuses and yields what JSON.parse would on the same text, with two differences: nesting and the number of
 * values are bounded, and a string longer than `liftBytes` is a TextRange that holds its value (unescaped) as UTF-8. Object keys stay
 * strings. A range with a lone surrogate escape such as `"\ud800"`, which UTF-8 cannot hold, has U+FFFD in its place, and
 * what it was in `given`, since a message that is not cut must come back as it came.
 *
 * Ranges point into the memory of `body`, which must not change any more; a body that is not in shared memory
 * is copied there first. A long string costs about 0.3 ms a megabyte, one with an escape in every line 2 to 3 ms,
 * and all the rest what JSON.parse costs and a third to a half more.
 *
 * @throws PreflightError `body_too_large` over `MAX_BODY_BYTES`, with `limit_bytes` and `size_bytes`; `invalid_utf8`; `invalid_json` with `position`, the offset of the first byte that cannot
 * be part of JSON (the length of the body, if it ends too early); `body_too_deep`, `body_too_many_values`,
 * `object_too_large` and `key_too_long` with `limit` and `position`; whatever `reserve` throws.
 */
export function parseBody(body: Uint8Array, options: ParseBodyOptions = {}): Json {
  return finish(parseBodySteps(body, options));
}

/** The same, in steps of about a millisecond. */
export function* parseBodySteps(body: Uint8Array, options: ParseBodyOptions = {}): Steps<Json> {
  const { liftBytes = 4096, reserve, ...shape } = options;
  refuseLarger(MAX_BODY_BYTES, body.length);
  const bytes = toSharedBytes(body);
  if (!isUtf8(bytes)) throw new PreflightError('invalid_utf8');
  const layout = yield* findLayout(bytes, { ...DEFAULT_SHAPE, ...shape, longBytes: liftBytes });
  if (!layout.isComplete) throw yield* invalidJson(bytes);
  const escaped = yield* findEscaped(bytes, layout.longStrings);
  reserve?.(valueBytes(bytes.length, layout) + escaped.sizeBytes);
  const lifted = yield* lift(bytes, layout.longStrings, escaped, liftBytes);
  try {
    // Nobody can know the name of a placeholder before it is drawn, so no string of the body equals one.
    return yield* buildValue(bytes, layout.borders, lifted, lifted.length > 0 ? randomUUID() : '');
  } catch (error) {
    // V8's message quotes the body, so that neither it nor its error may go any further.
    if (error instanceof SyntaxError) throw yield* invalidJson(bytes);
    throw error;
  }
}

function valueBytes(bodyBytes: number, { values, longStrings }: Layout): number {
  const longBytes = longStrings.reduce((sum, { open, close }) => sum + close - open - 1, 0);
  return VALUE_BYTES * values + 2 * (bodyBytes - longBytes);
}

function* invalidJson(bytes: SharedBytes): Steps<PreflightError> {
  const position = yield* syntaxErrorOffset(bytes);
  return new PreflightError('invalid_json', {
    publicDetail:
      bytes.length === 0 ? 'The body is empty.' : `The body is not valid JSON: error at byte ${position}.`,
    params: { position },
  });
}
