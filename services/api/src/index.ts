export { Admission } from './admission.js';
export type { Answer } from './answer.js';
export { type AnswerContext, Answerer, type AnswererOptions } from './answerer.js';
export { answerBatch, type BatchUpload } from './batches/answer-batch.js';
export { type Api, type ApiParts, createApi } from './create-api.js';
export { listedModels, modelByName } from './model-routes.js';
export { readModels } from './models-file.js';
export { problemOf, toPreflightError } from './problems.js';
export { readPricing } from './rules-file.js';
