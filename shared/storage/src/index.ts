export * from './batch-store/batch-store.js';
export { MemoryBatchStore, type MemoryBatchStoreOptions } from './batch-store/memory-batch-store.js';
export { RedisBatchStore } from './batch-store/redis-batch-store.js';
export * from './calibration-store/calibration-store.js';
export { LmdbCalibrationStore } from './calibration-store/lmdb-calibration-store.js';
export { MemoryCalibrationStore } from './calibration-store/memory-calibration-store.js';
export * from './calibration-store/open-calibration-store.js';
export { RedisCalibrationStore } from './calibration-store/redis-calibration-store.js';
export * from './count-cache/count-cache.js';
export * from './count-cache/count-key.js';
export * from './count-cache/layered-count-cache.js';
export * from './count-cache/lmdb-count-cache.js';
export { MemoryCountCache, type MemoryCountCacheOptions } from './count-cache/memory-count-cache.js';
export * from './count-cache/open-count-cache.js';
export { RedisCountCache, type RedisCountCacheOptions } from './count-cache/redis-count-cache.js';
export { BullMqJobQueue, type BullMqJobQueueOptions } from './job-queue/bullmq-job-queue.js';
export { type BullMqTiming, DEFAULT_BULLMQ_TIMING } from './job-queue/bullmq-names.js';
export { DEFAULT_JOB_LIMITS, type JobLimits } from './job-queue/job-limits.js';
export * from './job-queue/job-queue.js';
export { MemoryJobQueue } from './job-queue/memory-job-queue.js';
export * from './open-storage.js';
export { MemoryPayloadStore, type MemoryPayloadStoreOptions } from './payload-store/memory-payload-store.js';
export * from './payload-store/payload-store.js';
export { MAX_AHEAD_BYTES } from './payload-store/payload-store.js';
export { RedisPayloadStore } from './payload-store/redis-payload-store.js';
export type { RedisWarning } from './redis/redis-settings.js';
export { UnansweredError } from './redis/storage-error.js';
export {
  MemoryWriteOnceStore,
  type MemoryWriteOnceStoreOptions,
} from './write-once-store/memory-write-once-store.js';
export { RedisWriteOnceStore } from './write-once-store/redis-write-once-store.js';
export * from './write-once-store/write-once-store.js';
