export type { BatchLine, BatchLines, BatchOptions } from './batch.js';
export { ClientError, type ClientErrorCode } from './client-error.js';
export { ClientJob, type JobOptions } from './client-job.js';
export {
  type CallOptions,
  type Checked,
  PreflightClient,
  type PreflightClientOptions,
  type Preflighted,
} from './preflight-client.js';
