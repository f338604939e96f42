export { MEDIA_TYPES, READERS_VERSION } from '@preflight/media';
export {
  ENCODING_NAMES,
  type EncodingFacts,
  type EncodingName,
  encodingFacts,
  encodingNames,
  isEncodingName,
  isSafeSplit,
  isShipped,
} from '@preflight/tokenizer';
export {
  type NamedVocabulary,
  nameVocabulary,
  TokenizerFileError,
  vocabularyFile,
} from '@preflight/tokenizer/vocabularies';
export { type ArrivingText, ArrivingTexts } from './arriving-texts.js';
export type { AsyncCounter } from './async-counter.js';
export type { Checkpoint, Checkpoints } from './checkpoints.js';
export type { Digest, FileFacts, SegmentDigest } from './messages.js';
export {
  type CountOptions,
  createPool,
  type InspectedFile,
  type PdfReading,
  Pool,
  type PoolOptions,
} from './pool.js';
export { type TaskFigures, unlessAborted, type WorkOptions } from './work.js';
