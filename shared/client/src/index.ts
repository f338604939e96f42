export type { BatchLine, BatchLines, BatchOptions } from './batch.js';
export { ClientError, type ClientErrorCode } from './client-error.js';
export {
  type CallOptions,
  PreflightClient,
  type PreflightClientOptions,
  type Preflighted,
} from './preflight-client.js';
