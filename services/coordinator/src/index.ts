export { Coordinator } from './coordinator.js';
export { createJobConsumer, type JobConsumerOptions } from './queue/job-consumer.js';
export type { QueuedJob } from './queue/queued-job.js';
export { QueuedWork, type QueuedWorkOptions } from './queue/queued-work.js';
