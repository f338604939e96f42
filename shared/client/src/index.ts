export { ClientError, type ClientErrorCode } from './client-error.js';
export {
  type CallOptions,
  PreflightClient,
  type PreflightClientOptions,
  type Preflighted,
} from './preflight-client.js';
