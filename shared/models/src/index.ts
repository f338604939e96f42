export type { Model, Provider } from './model.js';
export { nearestModels } from './nearest-models.js';
export {
  listModels,
  type MatchedBy,
  type ResolvedModel,
  resolveModel,
  STAND_IN_ENCODING,
} from './resolve-model.js';
