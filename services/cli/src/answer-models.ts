import {
  listedModels,
  modelByName,
  nameVocabularies,
  problemOf,
  readModels,
  readPricing,
  toPreflightError,
} from '@preflight/api';
import type { Json } from '@preflight/core';
import { readConfig } from '@preflight/runtime';
import type { Command } from './arguments.js';
import { modelReport, modelsReport } from './models-report.js';
import { problemReport } from './report.js';

/** `preflight models`: prints what is known of models, all, those of a kind or one; the exit code says whether any is. */
export function answerModels({ model, query, isJson }: Command & { name: 'models' }): number {
  const config = readConfig();
  nameVocabularies(config.tokenizers);
  const models = readModels(config.modelsFile);
  const { rules } = readPricing(config);
  const width = process.stdout.columns ?? 100;
  const print = (answer: object, report: string) =>
    process.stdout.write(isJson ? `${JSON.stringify(answer)}\n` : report);
  try {
    if (model === undefined) {
      const answer = listedModels(models, query, rules);
      print(answer, modelsReport(answer.models, width));
    } else {
      const answer = modelByName(models, model, rules);
      print(answer, modelReport(answer));
    }
    return 0;
  } catch (error) {
    const refusal = toPreflightError(error);
    if (refusal.code === 'internal_error') throw error;
    const { body } = problemOf(refusal, { instance: '/v1/models', requestId: 'command' });
    print(body as Json as object, problemReport(body as unknown as Parameters<typeof problemReport>[0]));
    return NOT_FOUND;
  }
}

const NOT_FOUND = 65;
