export { Coordinator } from './coordinator.js';
export { distinctTexts } from './distinct-texts.js';
export { identify } from './identify.js';
export { KnownCounts } from './known-counts.js';
export { AcceptedJobs, type AcceptedJobsOptions } from './queue/accepted-jobs.js';
export { createJobConsumer, type JobConsumerOptions } from './queue/job-consumer.js';
export type { QueuedJob } from './queue/queued-job.js';
export { QueuedWork, type QueuedWorkOptions } from './queue/queued-work.js';
export { SegmentCounts } from './segment-counts.js';
