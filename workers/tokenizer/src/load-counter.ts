import type { Counter, EngineName } from './counter.js';
import {
  type EncodingName,
  isEncodingName,
  isShipped,
  type ShippedName,
  UnknownEncodingError,
} from './encodings.js';
import { loadKernelCounter } from './kernel/load-kernel.js';

export interface LoadOptions {
  /** Default `kernel`, which alone counts vocabularies that were given by name. */
  readonly engine?: EngineName;
}

/** Module state is per thread, and so are the counters: they hold memory that threads cannot share. */
const counters = new Map<string, Promise<Counter>>();

/**
 * The counter of an encoding, loaded once in a thread and then shared. The kernel takes some 20 ms and 20 MB
 * the first time in a process and 2 ms and 3 MB in a thread that adopted it (`adoptKernel`); tiktoken takes a
 * few tenths of a second and, for o200k_base, some 80 MB in every thread. Rejects with `UnknownEncodingError` for
 * names that are none of `encodingNames()`.
 */
export async function loadCounter(encoding: EncodingName, options: LoadOptions = {}): Promise<Counter> {
  if (!isEncodingName(encoding)) throw new UnknownEncodingError(encoding);
  const engine = isShipped(encoding) ? (options.engine ?? 'kernel') : 'kernel';
  const key = `${engine} ${encoding}`;
  let counter = counters.get(key);
  if (counter === undefined) {
    counter = engine === 'kernel' ? loadKernel(encoding) : loadTiktoken(encoding as ShippedName);
    counters.set(key, counter);
    counter.catch(() => counters.delete(key));
  }
  return counter;
}

async function loadKernel(encoding: EncodingName): Promise<Counter> {
  return loadKernelCounter(encoding);
}

/** Imported only where it is asked for: the package compiles 5 MB of WASM when it is imported. */
async function loadTiktoken(encoding: ShippedName): Promise<Counter> {
  const { loadTiktokenCounter } = await import('./tiktoken/load-tiktoken.js');
  return loadTiktokenCounter(encoding);
}
