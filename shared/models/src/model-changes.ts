import { STAND_IN_ENCODING } from './catalog.generated.js';
import type { Model } from './model.js';
import { ModelCatalog } from './model-catalog.js';

/** What an operator knows better: of a model of the catalog, or all of a new one. What is left out stays as it was. */
export interface ModelChange extends Partial<Omit<Model, 'id'>> {
  readonly id: string;
  /** A model of the catalog, or of an earlier change, that has the facts that are left out. */
  readonly like?: string;
}

/** A change that cannot be made; `index` is its place among the changes. */
export class ModelChangeError extends Error {
  override readonly name = 'ModelChangeError';

  constructor(
    readonly index: number,
    readonly field: 'id' | 'like' | 'context_window' | 'max_input_tokens' | 'max_output_tokens',
    message: string,
  ) {
    super(message);
  }
}

/** A new model shares no rules of accounting with any other, and its window is the strictest. */
const NEW_MODEL = {
  provider: 'operator',
  windowType: 'shared_sum',
  maxInputTokens: null,
  maxOutputTokens: null,
  encoding: STAND_IN_ENCODING,
  exactEncoding: false,
  capabilities: [],
  reasoning: 'none',
  prices: null,
} as const;

/**
 * The catalog with an operator's changes, which win. `source` and `date` say where they are from. Throws
 * ModelChangeError for an id that comes twice, a model to be like that is not known, a new model without a window,
 * and limits above their window.
 */
export function withChanges(
  catalog: ModelCatalog,
  changes: readonly ModelChange[],
  { source, date }: { readonly source: string; readonly date: string },
): ModelCatalog {
  const known = new Map(catalog.list().map((model) => [model.id, model]));
  const changed = new Set<string>();
  for (const [index, { like, ...facts }] of changes.entries()) {
    if (changed.has(facts.id)) throw new ModelChangeError(index, 'id', 'comes twice');
    changed.add(facts.id);
    const base = known.get(like ?? facts.id);
    if (like !== undefined && base === undefined)
      throw new ModelChangeError(index, 'like', 'is no model that is known');
    const model = {
      ...(base ?? { ...NEW_MODEL, family: facts.id }),
      ...facts,
      source,
      retrievedAt: date,
    } as Model;
    checkLimits(model, index);
    // A window that an operator states is that of the place where it is asked for.
    const { cloudContextWindowTokens: _, ...stated } = model;
    known.set(model.id, facts.contextWindowTokens === undefined ? model : stated);
  }
  return new ModelCatalog([...known.values()]);
}

function checkLimits({ contextWindowTokens, maxInputTokens, maxOutputTokens }: Model, index: number): void {
  if (contextWindowTokens === undefined)
    throw new ModelChangeError(index, 'context_window', 'is required of a new model');
  if ((maxInputTokens ?? 0) > contextWindowTokens)
    throw new ModelChangeError(index, 'max_input_tokens', 'is above the context window');
  if ((maxOutputTokens ?? 0) > contextWindowTokens)
    throw new ModelChangeError(index, 'max_output_tokens', 'is above the context window');
}
