import type { Capability, WindowType } from '@preflight/core';
import type { Model } from './model.js';

/** Each rule leaves out the models that do not keep it. */
export interface ModelFilter {
  readonly provider?: string;
  readonly family?: string;
  readonly windowType?: WindowType;
  readonly minContextWindowTokens?: number;
  readonly exactEncoding?: boolean;
  readonly capability?: Capability;
  /** A part of the id, in any case. */
  readonly text?: string;
}

/** The models that keep every rule, in the order in which they came. */
export function filterModels(models: readonly Model[], filter: ModelFilter): Model[] {
  const {
    provider,
    family,
    windowType,
    minContextWindowTokens = 0,
    exactEncoding,
    capability,
    text,
  } = filter;
  return models.filter(
    (model) =>
      (provider === undefined || model.provider === provider) &&
      (family === undefined || model.family === family) &&
      (windowType === undefined || model.windowType === windowType) &&
      model.contextWindowTokens >= minContextWindowTokens &&
      (exactEncoding === undefined || model.exactEncoding === exactEncoding) &&
      (capability === undefined || model.capabilities.includes(capability)) &&
      (text === undefined || model.id.includes(text.toLowerCase())),
  );
}
