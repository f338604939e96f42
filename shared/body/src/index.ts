export * from './parse-body.js';
export * from './receive-body.js';
export { type SharedBytes, toSharedBytes } from './shared-bytes.js';
export * from './write-json.js';
