import type { Warning } from '@preflight/contracts';
import type { JsonObject } from '@preflight/core';
import type { ModelCatalog } from '@preflight/models';
import type { PricingDefaults } from '../attachments/media-pricing.js';
import type { Calibrations } from '../calibrations/calibrations.js';

/** What calls are read with, beside their bodies. */
export interface CallSettings {
  readonly models: ModelCatalog;
  readonly pricing: PricingDefaults;
  /** What was learned of models; without it, their rules hold. */
  readonly calibrations?: Calibrations | undefined;
  readonly maxMessages: number;
  readonly defaultContextWindowTokens: number | undefined;
  /** Told of what a call is warned of, before it is answered. */
  readonly onWarnings: (body: JsonObject, warnings: readonly Warning[]) => void;
}
