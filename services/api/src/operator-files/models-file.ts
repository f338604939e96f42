import { type ModelsFile, modelsFile } from '@preflight/contracts';
import {
  MODEL_CATALOG,
  type ModelCatalog,
  type ModelChange,
  ModelChangeError,
  withChanges,
  withVocabularies,
} from '@preflight/models';
import { encodingNames, isEncodingName } from '@preflight/pool';
import { readOperatorFile } from './operator-file.js';

type Entry = ModelsFile['models'][number];

/**
 * The catalog with what the operator's file says (`PREFLIGHT_MODELS_FILE`), or as it is shipped without one; models whose
 * vocabulary this process has (`nameVocabularies`) are counted with it. Throws
 * ConfigError with every fault and its place in the file.
 */
export function readModels(path: string | undefined): ModelCatalog {
  const catalog = withVocabularies(MODEL_CATALOG, encodingNames());
  if (path === undefined) return catalog;
  const { content, date, faulty } = readOperatorFile<ModelsFile>('PREFLIGHT_MODELS_FILE', path, modelsFile);
  const { models } = content;
  const unknownEncodings = models.flatMap(({ encoding }, index) =>
    encoding === undefined || isEncodingName(encoding)
      ? []
      : [{ pointer: `/models/${index}/encoding`, detail: `must be one of ${encodingNames().join(', ')}` }],
  );
  if (unknownEncodings.length > 0) throw faulty(unknownEncodings);
  try {
    const changes = models.map((entry) => changeOf(entry, { source: path, date }));
    return withChanges(catalog, changes, { source: path, date });
  } catch (error) {
    if (!(error instanceof ModelChangeError)) throw error;
    throw faulty([{ pointer: `/models/${error.index}/${error.field}`, detail: error.message }]);
  }
}

function changeOf(entry: Entry, origin: { readonly source: string; readonly date: string }): ModelChange {
  const { id, encoding, prices } = entry;
  const facts = {
    like: entry.like,
    provider: entry.provider,
    family: entry.family,
    windowType: entry.window_type,
    contextWindowTokens: entry.context_window,
    maxInputTokens: entry.max_input_tokens,
    maxOutputTokens: entry.max_output_tokens,
    encoding,
    exactEncoding: entry.exact_encoding ?? (encoding === undefined ? undefined : true),
    capabilities: entry.capabilities,
    reasoning: entry.reasoning,
    prices: prices && {
      input: prices.input,
      cachedInput: prices.cached_input ?? null,
      output: prices.output,
      ...origin,
    },
  };
  // What is left out must not hide what is known.
  const stated = Object.entries(facts).filter(([, value]) => value !== undefined);
  return { id, ...Object.fromEntries(stated) };
}
