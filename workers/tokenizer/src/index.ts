/**
 * The exact token counter and cutter of Preflight. Start with `loadCounter`; the rest is for spreading one
 * text over threads (`planChunks`, `sharedKernel`) and for cache keys (`ENCODINGS`). No I/O but reading its own
 * tables; runs in any thread. Vocabularies out of files are in `@preflight/tokenizer/vocabularies`, so that threads which count
 * do not load what reads them.
 */
export type { Counter, EngineName, IncrementalCount, LimitedCount } from './counter.js';
export {
  ENCODING_NAMES,
  ENCODINGS,
  type EncodingFacts,
  type EncodingName,
  encodingFacts,
  encodingNames,
  isEncodingName,
  isShipped,
  type PatternFamily,
  type ShippedName,
  UnknownEncodingError,
} from './encodings.js';
export { adoptKernel, forgetThread, type SharedKernel, sharedKernel } from './kernel/shared-kernel.js';
export { type LoadOptions, loadCounter } from './load-counter.js';
export { type Encoder, loadEncoder } from './load-encoder.js';
export { type Chunk, findSafeSplit, isSafeSplit, planChunks } from './safe-split.js';
export { segmentEnds } from './segments.js';
export { onEachStep } from './steps.js';
