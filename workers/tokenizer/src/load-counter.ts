import type { Counter } from './counter.js';
import { type EncodingName, isEncodingName, UnknownEncodingError } from './encodings.js';
import { loadTiktokenCounter } from './tiktoken/load-tiktoken.js';

/** Module state is per thread, and so are the counters: they hold memory that threads cannot share. */
const counters = new Map<EncodingName, Promise<Counter>>();

/**
 * The counter of an encoding, loaded once in a thread and then shared. The first call costs a few tenths of a
 * second and, for o200k_base, some 80 MB. Rejects with `UnknownEncodingError` for names that are not in
 * `ENCODING_NAMES`.
 */
export async function loadCounter(encoding: EncodingName): Promise<Counter> {
  if (!isEncodingName(encoding)) throw new UnknownEncodingError(encoding);
  let counter = counters.get(encoding);
  if (counter === undefined) {
    counter = loadTiktokenCounter(encoding);
    counters.set(encoding, counter);
    counter.catch(() => counters.delete(encoding));
  }
  return counter;
}
