export * from './count-cache/count-cache.js';
export * from './count-cache/count-key.js';
export * from './count-cache/layered-count-cache.js';
export * from './count-cache/lmdb-count-cache.js';
export { MemoryCountCache, type MemoryCountCacheOptions } from './count-cache/memory-count-cache.js';
export * from './count-cache/open-count-cache.js';
