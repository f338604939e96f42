import type { Warning } from '@preflight/contracts';
import { type JsonObject, PreflightError } from '@preflight/core';
import { type ModelCatalog, type ResolvedModel, STAND_IN_ENCODING } from '@preflight/models';

/** The model that a request names, if it does, and what is known of it. */
export interface AskedModel {
  readonly name: string | undefined;
  readonly known: ResolvedModel | undefined;
  /** Names that may have been meant. */
  nearest(): string[];
}

const NEAREST_NAMES = 3;

/** The model that a body names, or the provider's request in it, and what the catalog knows of it. */
export function askedModel(
  models: ModelCatalog,
  body: JsonObject,
  request: JsonObject | undefined,
): AskedModel {
  const name = modelName(body, request);
  return {
    name,
    known: name === undefined ? undefined : models.resolve(name),
    nearest: () => (name === undefined ? [] : models.nearest(name, NEAREST_NAMES)),
  };
}

/** The model that the options name, else the provider's request. */
export function modelName(body: JsonObject, request: JsonObject = {}): string | undefined {
  // Bedrock has a name of its own for it.
  const name = body.model ?? request.model ?? request.modelId;
  return typeof name === 'string' && name.trim() !== '' ? name : undefined;
}

/** What should be known of the model, where it decides something. */
export function modelWarnings(
  body: JsonObject,
  { name, known, nearest }: AskedModel,
  needsWindow: boolean,
): Warning[] {
  const isWindowExplicit = body.context_window !== undefined || body.budget_tokens !== undefined;
  if (known?.largerWindowTokens !== undefined && needsWindow && !isWindowExplicit) {
    const { contextWindowTokens } = known.model;
    return [
      {
        code: 'cloud_window',
        detail: `Clouds serve ${known.model.id} with a window of ${contextWindowTokens} or ${known.largerWindowTokens} tokens; ${contextWindowTokens} is assumed. Give context_window if yours is larger.`,
      },
    ];
  }
  if (known !== undefined || (body.encoding !== undefined && (!needsWindow || isWindowExplicit))) return [];
  return [
    {
      code: 'unknown_model',
      detail: `${name === undefined ? 'No model was named' : 'The model is not in the catalog'}; counted with ${
        (body.encoding as string | undefined) ?? STAND_IN_ENCODING
      }.${nearestInWords(nearest())}`,
    },
  ];
}

/** Where no window is known and no budget given: a guess would destroy history or overflow. */
export function windowRequired({ name, nearest }: AskedModel): PreflightError {
  const known = name === undefined ? 'No model was named: name one, or' : 'The model is not in the catalog:';
  return new PreflightError('context_window_required', {
    publicDetail: `${known} give context_window or budget_tokens.${nearestInWords(nearest())}`,
    issues: [{ pointer: '/context_window', detail: 'is required, since the model does not tell it' }],
  });
}

function nearestInWords(names: readonly string[]): string {
  return names.length === 0 ? '' : ` Nearest known: ${names.join(', ')}.`;
}
