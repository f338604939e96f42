export type { Answer } from './answer.js';
export { type AnswerContext, Answerer, type AnswererOptions } from './answerer.js';
export { type Api, createApi } from './create-api.js';
export { problemOf, toPreflightError } from './problems.js';
