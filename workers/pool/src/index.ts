export type { Digest } from './messages.js';
export { type AsyncCounter, createPool, Pool, type PoolFigures, type PoolOptions, type WorkOptions } from './pool.js';
export { ENCODINGS, ENCODING_NAMES, type EncodingName, isEncodingName } from '@preflight/tokenizer';
