export { STAND_IN_ENCODING } from './catalog.generated.js';
export { filterModels, type ModelFilter } from './filter-models.js';
export type { Maker, Model, Prices, Provider, TokenPrices } from './model.js';
export { type MatchedBy, MODEL_CATALOG, ModelCatalog, type ResolvedModel } from './model-catalog.js';
export { type ModelChange, ModelChangeError, withChanges } from './model-changes.js';
export { PUBLIC_VOCABULARIES, type PublicVocabulary, withVocabularies } from './public-vocabularies.js';
