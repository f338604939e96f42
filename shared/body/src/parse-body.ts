import { isUtf8 } from 'node:buffer';
import { randomUUID } from 'node:crypto';
import { type Json, type JsonObject, PreflightError, type TextRange } from '@preflight/core';
import { type Lifted, lift } from './lift.js';
import { findLongStrings } from './long-strings.js';
import { refuseLarger } from './refuse-larger.js';
import { type SharedBytes, toSharedBytes } from './shared-bytes.js';
import { syntaxErrorOffset } from './syntax-error.js';

export interface ParseBodyOptions {
  /** Strings whose UTF-8 is longer than this become ranges. Default 4096. */
  readonly liftBytes?: number;
  /** Objects and arrays may be nested this deep. Default 128. */
  readonly maxDepth?: number;
  /**
   * Values and members there may be. Default 1,000,000: about 0.2 s of JSON.parse at the worst, and some hundred MB.
   */
  readonly maxValues?: number;
}

/** Longest body that is parsed: 500 MiB. What is left of it as one string must be shorter than V8's longest, 2^29 - 24 characters. */
export const MAX_BODY_BYTES = 500 * 1024 * 1024;

const DEFAULT_MAX_VALUES = 1_000_000;

/**
 * The value of a JSON body, with long strings as ranges of bytes instead of strings.
 *
 * Accepts, refuses and yields what JSON.parse would on the same text, with two differences: nesting and the number of
 * values are bounded, and a string longer than `liftBytes` is a TextRange that holds its value (unescaped) as UTF-8. Object keys stay
 * strings, and so does a long string with a lone surrogate escape such as `"\ud800"`, since UTF-8 cannot hold it and a
 * message that is not cut must come back as given.
 *
 * Ranges point into the memory of `body`, which must not change any more; a body that is not in shared memory
 * is copied there first. A long string costs about 0.3 ms a megabyte, one with an escape in every line 2 to 3 ms,
 * and all the rest what JSON.parse costs and a third to a half more.
 *
 * @throws PreflightError `body_too_large` over `MAX_BODY_BYTES`, with `limit_bytes` and `size_bytes`; `invalid_utf8`; `invalid_json` with `position`, the offset of the first byte that cannot
 * be part of JSON (the length of the body, if it ends too early); `body_too_deep` and `body_too_many_values` with
 * `limit` and `position`.
 */
export function parseBody(body: Uint8Array, options: ParseBodyOptions = {}): Json {
  const { liftBytes = 4096, maxDepth = 128, maxValues = DEFAULT_MAX_VALUES } = options;
  refuseLarger(MAX_BODY_BYTES, body.length);
  const bytes = toSharedBytes(body);
  if (!isUtf8(bytes)) throw new PreflightError('invalid_utf8');
  const lifted = lift(bytes, findLongStrings(bytes, liftBytes, { maxDepth, maxValues }), liftBytes);

  // Nobody can know the name of a placeholder before it is drawn, so no string of the body equals one.
  const nonce = lifted.length > 0 ? randomUUID() : '';
  const value = parse(withPlaceholders(bytes, lifted, nonce), bytes);
  if (lifted.length === 0) return value;
  return putRanges(
    value,
    nonce,
    lifted.map(({ range }) => range),
  );
}

/** The text of the body, in which a placeholder stands for each string that was lifted. */
function withPlaceholders(bytes: SharedBytes, lifted: readonly Lifted[], nonce: string): string {
  let text = '';
  let from = 0;
  lifted.forEach(({ open, close }, index) => {
    text += `${bytes.toString('utf8', from, open)}"${nonce}${index}"`;
    from = close + 1;
  });
  return text + bytes.toString('utf8', from);
}

function parse(text: string, bytes: SharedBytes): Json {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    // V8's message quotes the body, so that neither it nor its error may go any further.
    const position = syntaxErrorOffset(bytes);
    throw new PreflightError('invalid_json', {
      publicDetail: `The body is not valid JSON: error at byte ${position}.`,
      params: { position },
    });
  }
}

/** Replaces each placeholder in `value` by its range, without recursion. */
function putRanges(value: Json, nonce: string, ranges: readonly TextRange[]): Json {
  const root: Json[] = [value];
  const pending: (Json[] | JsonObject)[] = [root];
  const replacement = (child: Json): Json => {
    if (typeof child === 'string') {
      return child.startsWith(nonce) ? (ranges[Number(child.slice(nonce.length))] as TextRange) : child;
    }
    if (typeof child === 'object' && child !== null) pending.push(child as Json[] | JsonObject);
    return child;
  };
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (Array.isArray(node)) {
      for (let i = 0; i < node.length; i += 1) node[i] = replacement(node[i] as Json);
    } else {
      // Every key is an own property, `__proto__` too, so that this sets no prototype.
      for (const key of Object.keys(node)) node[key] = replacement(node[key] as Json);
    }
  }
  return root[0] as Json;
}
