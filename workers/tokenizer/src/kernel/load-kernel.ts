import type { Counter } from '../counter.js';
import type { EncodingName } from '../encodings.js';
import { NormalizingReader } from '../normalization/normalizing-reader.js';
import { ReaderCounter } from '../reader-counter.js';
import type { OpenTokenReader } from '../token-reader.js';
import { KernelReader } from './kernel-reader.js';
import { KernelThread } from './kernel-thread.js';
import { type SharedKernel, sharedKernel } from './shared-kernel.js';

/** One reader for all encodings of a vocabulary: each takes a region of the memory. */
const readers = new Map<SharedKernel, OpenTokenReader>();

/** A counter with the WASM kernel as its engine. Attaches in some milliseconds once the kernel is loaded. */
export function loadKernelCounter(encoding: EncodingName): Counter {
  const kernel = sharedKernel(encoding);
  let reader = readers.get(kernel);
  if (reader === undefined) {
    reader = readerOf(kernel);
    readers.set(kernel, reader);
  }
  return new ReaderCounter(encoding, 'kernel', reader);
}

function readerOf(kernel: SharedKernel): OpenTokenReader {
  const reader = new KernelReader(new KernelThread(kernel));
  const { family, isNormalized } = kernel.facts;
  return isNormalized ? new NormalizingReader(reader, family) : reader;
}
