export type { Model, Provider, PublicEncoding } from './model.js';
export { nearestModels } from './nearest-models.js';
export { listModels, type MatchedBy, type ResolvedModel, resolveModel } from './resolve-model.js';
