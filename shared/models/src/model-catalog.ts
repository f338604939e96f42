import { CATALOG } from './catalog.generated.js';
import type { Model } from './model.js';
import { isSnapshotSuffix, spellingsOf } from './model-name.js';
import { nearestOf } from './nearest-names.js';
import { placeOf, type Route } from './place.js';

/** How a name led to its model; of several ways the outermost is named. */
export type MatchedBy = 'exact' | 'snapshot' | 'fine_tune' | 'vendor_prefix';

export interface ResolvedModel {
  /** As it is where the name asks for it: prices are those of its maker, and some clouds have smaller windows. */
  readonly model: Model;
  readonly matchedBy: MatchedBy;
  /** The window that the model has with its maker, where a smaller one is assumed. */
  readonly largerWindowTokens?: number;
}

/** No model's name is longer; longer ones are not looked at. */
const MAX_NAME_LENGTH = 200;

/** The models that are known, and how names are matched to them. */
export class ModelCatalog {
  readonly #models: ReadonlyMap<string, Model>;

  /** Of two models with the same id, the later one counts. */
  constructor(models: readonly Model[] = CATALOG) {
    this.#models = new Map(models.map((model) => [model.id, model]));
  }

  /** Every model, makers in the order of their names, newer models first. */
  list(): readonly Model[] {
    return [...this.#models.values()];
  }

  /**
   * The model that a name stands for: an id of the catalog, a dated snapshot of one, a fine-tune (`ft:gpt-4o:…`), or
   * any of these as makers, gateways and clouds write it (`openrouter/openai/gpt-4o`,
   * `bedrock/us.anthropic.claude-opus-4-1-20250805-v1:0`). What follows a known id must be a date or version as its
   * provider writes them, because other suffixes name other models with other windows (`gpt-4-32k`,
   * `gemini-2.5-flash-image`). Anything else is undefined, never a guess.
   */
  resolve(name: string): ResolvedModel | undefined {
    if (name.length > MAX_NAME_LENGTH) return undefined;
    const written = name.trim().toLowerCase();
    return this.#resolveHere(written) ?? this.#resolvePlaced(written);
  }

  /** Ids most like a name, nearest first, for "did you mean"; none that is unlike it. */
  nearest(name: string, count: number): string[] {
    return nearestOf(name, [...this.#models.keys()], count);
  }

  #resolveHere(name: string): ResolvedModel | undefined {
    return this.#resolveExact(name) ?? this.#resolveSnapshot(name) ?? this.#resolveFineTune(name);
  }

  #resolveExact(name: string): ResolvedModel | undefined {
    for (const spelling of spellingsOf(name)) {
      const model = this.#models.get(spelling);
      if (model !== undefined) return { model, matchedBy: 'exact' };
    }
    return undefined;
  }

  #resolveSnapshot(name: string): ResolvedModel | undefined {
    for (let end = name.length - 1; end > 0; end--) {
      if (name[end] !== '-' && name[end] !== '@') continue;
      const model = this.#resolveExact(name.slice(0, end))?.model;
      if (model === undefined) continue;
      return isSnapshotSuffix(model, name.slice(end)) ? { model, matchedBy: 'snapshot' } : undefined;
    }
    return undefined;
  }

  /** `ft:<base model>:<organization>:<suffix>:<id>`, on Azure `<base model>.ft-<id>`: a fine-tune has the window of its base. */
  #resolveFineTune(name: string): ResolvedModel | undefined {
    const base = /^ft:([^:]+)(?::|$)/.exec(name)?.[1] ?? /^(.+)\.ft-[0-9a-z-]+$/.exec(name)?.[1];
    if (base === undefined) return undefined;
    const model = (this.#resolveExact(base) ?? this.#resolveSnapshot(base))?.model;
    if (model?.provider !== 'openai') return undefined;
    return { model: { ...model, prices: null }, matchedBy: 'fine_tune' };
  }

  #resolvePlaced(name: string): ResolvedModel | undefined {
    const place = placeOf(name);
    const model = place && this.#resolveHere(place.name)?.model;
    if (!model || !place.isOf(model.provider)) return undefined;
    return { ...asked(model, place.route), matchedBy: 'vendor_prefix' };
  }
}

/** A model as it is where it is asked for. */
function asked(model: Model, route: Route): Omit<ResolvedModel, 'matchedBy'> {
  if (route === 'maker') return { model };
  const { cloudContextWindowTokens, contextWindowTokens } = model;
  if (route === 'gateway' || cloudContextWindowTokens === undefined)
    return { model: { ...model, prices: null } };
  return {
    model: { ...model, prices: null, contextWindowTokens: cloudContextWindowTokens },
    largerWindowTokens: contextWindowTokens,
  };
}

/** The catalog as it is shipped. */
export const MODEL_CATALOG = new ModelCatalog();
