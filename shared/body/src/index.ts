export * from './parse-body.js';
export * from './receive-body.js';
export { allocateShared, type SharedBytes, toSharedBytes } from './shared-bytes.js';
export * from './write-json.js';
