import {
  type AccountingRules,
  calibrated,
  calibrationSample,
  type TextRatioRule,
  textEstimateFor,
} from '@preflight/accounting';
import {
  type CalibrationRequest,
  type CalibrationResponse,
  type CalibrationsResponse,
  calibrationRequest,
} from '@preflight/contracts';
import { type Json, PreflightError, type TextEstimate } from '@preflight/core';
import type { ModelCatalog } from '@preflight/models';
import type { CalibrationStore } from '@preflight/storage';
import { schemaCheck } from '../requests/schema-check.js';
import { LastingAnswers } from './lasting-answers.js';

const checkRequest = schemaCheck(calibrationRequest);

/** How long what was learned is taken as known; after that the store is asked again, which other hosts write as well. */
const KNOWN_MS = 5_000;

/** Models that are known at a time. */
const KNOWN_MODELS = 1_000;

/** A store would keep names with lone surrogates as one, and terminals would obey controls. */
const UNPRINTABLE = /[\p{Cc}\p{Cs}]/u;

/** What is learned of models from what their providers charged. Holds a few numbers for a few seconds; all else is in the store. */
export class Calibrations {
  readonly #store: CalibrationStore;
  readonly #models: ModelCatalog;
  readonly #ratios: readonly TextRatioRule[];
  readonly #known = new LastingAnswers<string, TextEstimate>({ lastMs: KNOWN_MS, maxKeys: KNOWN_MODELS });

  /** `rules` are those that samples are taken against. */
  constructor(store: CalibrationStore, models: ModelCatalog, rules: AccountingRules) {
    this.#store = store;
    this.#models = models;
    this.#ratios = rules.textRatios;
  }

  /** The estimate of a model, learned if enough is known of it. A store that is away leaves the rule as it is. */
  async learned(model: string, rule: TextEstimate): Promise<TextEstimate> {
    const key = this.#keyOf(model);
    return this.#known.get(key, async () => {
      const samples = await this.#store.samples(key).catch(() => []);
      return calibrated(rule, samples);
    });
  }

  /**
   * Takes back what a provider charged, as the body of a call says it. Throws `unknown_option`, `invalid_request`, also for a model
   * that is counted exactly, and the store's codes.
   */
  async add(body: Json, atMs: number): Promise<CalibrationResponse> {
    checkRequest(body);
    const {
      model,
      actual_input_tokens,
      text_estimate,
      attachment_tokens = 0,
    } = body as unknown as CalibrationRequest;
    if (UNPRINTABLE.test(model))
      throw new PreflightError('invalid_request', {
        publicDetail: 'The name of the model has control characters, or halves of surrogate pairs.',
        issues: [{ pointer: '/model', detail: 'has control characters or lone surrogates' }],
      });
    if (this.#models.resolve(model)?.model.exactEncoding)
      throw new PreflightError('invalid_request', {
        publicDetail: 'The model is counted in its own encoding, so that there is nothing to learn.',
        issues: [{ pointer: '/model', detail: 'is counted exactly' }],
      });
    const key = this.#keyOf(model);
    const sample = calibrationSample(textEstimateFor(key, this.#ratios), {
      counted: text_estimate.counted,
      textTokens: actual_input_tokens - text_estimate.other_tokens - attachment_tokens,
      atMs,
    });
    if ('reason' in sample) return { ...(await this.#view(key)), taken: false, ...sample };
    await this.#store.add(key, sample);
    this.#known.forget(key);
    return { ...(await this.#view(key)), taken: true };
  }

  async list(): Promise<CalibrationsResponse> {
    const models = await this.#store.models();
    const calibrations: CalibrationsResponse['calibrations'] = [];
    for (const model of models) calibrations.push(await this.#view(model));
    return { calibrations };
  }

  /** Forgets what was learned of a model, or of all. */
  async clear(model?: string): Promise<void> {
    await this.#store.clear(model === undefined ? undefined : this.#keyOf(model));
    this.#known.forgetAll();
  }

  async #view(key: string): Promise<CalibrationsResponse['calibrations'][number]> {
    const samples = await this.#store.samples(key);
    const { rule, date, ratios } = calibrated(textEstimateFor(key, this.#ratios), samples);
    return { model: key, samples: samples.length, rule, rule_date: date, ratios: { ...ratios } };
  }

  /** The name of the catalog, where it has one, so that a snapshot and its model learn together. */
  #keyOf(model: string): string {
    return this.#models.resolve(model)?.model.id ?? model.trim().toLowerCase().slice(0, 200);
  }
}
