import { type AccountingRules, overheadRuleFor, rulesForModel } from '@preflight/accounting';
import {
  type ModelResponse,
  type ModelsQuery,
  modelByNameResponse,
  modelsQuery,
  modelsResponse,
} from '@preflight/contracts';
import { PreflightError } from '@preflight/core';
import { filterModels, type Model, type ModelCatalog } from '@preflight/models';
import type { FastifyInstance } from 'fastify';
import { REFUSED } from '../problems/refused.js';
import { schemaCheck } from '../requests/schema-check.js';

const checkQuery = schemaCheck(modelsQuery);
const NEAREST_NAMES = 5;

/** What is known of models: all of them, those of a kind, or one by any of its names. */
export function addModelRoutes(app: FastifyInstance, models: ModelCatalog, rules: AccountingRules): void {
  app.get(
    '/v1/models',
    {
      schema: {
        summary: 'Models of the catalog, all or those of a kind',
        querystring: modelsQuery,
        response: { 200: modelsResponse, 400: REFUSED },
      },
    },
    async ({ query }) => listedModels(models, query as Record<string, string>, rules),
  );
  app.get(
    // Names have slashes in them.
    '/v1/models/*',
    {
      schema: {
        summary: 'One model, by its id or as gateways, clouds and snapshots are named',
        params: { type: 'object', properties: { '*': { type: 'string', description: 'The name.' } } },
        response: { 200: modelByNameResponse, 404: REFUSED },
      },
    },
    async ({ params }) => modelByName(models, (params as { '*': string })['*'], rules),
  );
}

/** Models that match a query as it stands in an address. Throws `unknown_option` and `invalid_request`. */
export function listedModels(
  models: ModelCatalog,
  query: Readonly<Record<string, string>>,
  rules: AccountingRules,
) {
  const asked = Object.fromEntries(Object.entries(query).map(([name, text]) => [name, fromText(text)]));
  for (const name of ['q', 'family', 'provider']) if (name in query) asked[name] = query[name];
  checkQuery(asked);
  const { provider, family, window_type, min_context_window, exact_encoding, capability, q } =
    asked as ModelsQuery;
  const filtered = filterModels(models.list(), {
    ...(provider !== undefined && { provider }),
    ...(family !== undefined && { family }),
    ...(window_type !== undefined && { windowType: window_type }),
    ...(min_context_window !== undefined && { minContextWindowTokens: min_context_window }),
    ...(exact_encoding !== undefined && { exactEncoding: exact_encoding }),
    ...(capability !== undefined && { capability }),
    ...(q !== undefined && { text: q }),
  });
  return { models: filtered.map((model) => modelInWords(model, rules)) };
}

/** The model that a name stands for. Throws `model_not_found` with the names that are most like it. */
export function modelByName(models: ModelCatalog, name: string, rules: AccountingRules) {
  const resolved = models.resolve(name);
  if (resolved !== undefined)
    return { ...modelInWords(resolved.model, rules), matched_by: resolved.matchedBy };
  const nearest = models.nearest(name, NEAREST_NAMES);
  throw new PreflightError('model_not_found', {
    publicDetail: `The catalog has no model of this name.${nearest.length === 0 ? '' : ` Nearest known: ${nearest.join(', ')}.`}`,
  });
}

function modelInWords(model: Model, rules: AccountingRules): ModelResponse {
  const { prices } = model;
  const { longInput } = prices ?? {};
  return {
    id: model.id,
    provider: model.provider,
    family: model.family,
    window_type: model.windowType,
    context_window: model.contextWindowTokens,
    max_input_tokens: model.maxInputTokens,
    max_output_tokens: model.maxOutputTokens,
    encoding: model.encoding,
    exact_encoding: model.exactEncoding,
    capabilities: [...model.capabilities],
    reasoning: model.reasoning,
    rules: rulesOf(model, rules),
    prices: prices && {
      input: prices.input,
      cached_input: prices.cachedInput,
      output: prices.output,
      ...(longInput && {
        long_input: {
          above_tokens: longInput.aboveTokens,
          input: longInput.input,
          cached_input: longInput.cachedInput,
          output: longInput.output,
        },
      }),
      source: prices.source,
      date: prices.date,
    },
    source: model.source,
    retrieved_at: model.retrievedAt,
  };
}

/** Of what is sent around texts, and of each kind of media that the model reads. */
function rulesOf({ id, family, capabilities }: Model, rules: AccountingRules): ModelResponse['rules'] {
  const media = rulesForModel(rules.media, id, undefined);
  const kinds = MEDIA_KINDS.filter((kind) => capabilities.includes(kind));
  return {
    overhead: overheadRuleFor(family, id, rules.overhead).id,
    ...Object.fromEntries(kinds.map((kind) => [kind, media[kind].rule.id])),
  };
}

const MEDIA_KINDS = ['image', 'pdf', 'audio', 'video'] as const;

/** Numbers and truth values stand in an address as text. */
function fromText(text: string): unknown {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  return text === 'true' || (text === 'false' ? false : text);
}
