// node scripts/build-kernel.mjs        writes dist/artefacts/: the kernel for each pattern family, the tables of
// each vocabulary. Does nothing if the stamp tells that the artefacts are of these very sources.
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { ENCODINGS } from '../dist/encodings.js';
import { makeImage } from '../tables/table-image.mjs';
import { compileKernel, FAMILIES } from './kernel/compile.mjs';
import { packImage } from './kernel/image-file.mjs';
import { readClasses } from './kernel/unicode-classes.mjs';
import { readVocabulary, splitTokens } from './kernel/vocabulary.mjs';

const PACKAGE = new URL('../', import.meta.url);
const ARTEFACTS = new URL('dist/artefacts/', PACKAGE);
/** The pattern family of every vocabulary. The table is TypeScript, which is compiled before this runs. */
const VOCABULARIES = Object.fromEntries(
  Object.values(ENCODINGS).map(({ vocabulary, family }) => [vocabulary, family]),
);

/** Digest of everything that the artefacts are made of. */
export function sourceStamp() {
  const hash = createHash('sha256');
  for (const folder of ['assembly/', 'scripts/kernel/', 'tables/'])
    for (const name of readdirSync(new URL(folder, PACKAGE)).sort())
      hash.update(name).update(readFileSync(new URL(folder + name, PACKAGE)));
  hash.update(JSON.stringify(VOCABULARIES));
  // The exact versions of tiktoken and assemblyscript are there.
  hash.update(readFileSync(new URL('package.json', PACKAGE)));
  return hash.digest('hex');
}

/** The stamp of the artefacts that are there; undefined if there are none. */
export function builtStamp() {
  try {
    return readFileSync(new URL('stamp', ARTEFACTS), 'utf8');
  } catch {
    return undefined;
  }
}

async function build() {
  const stamp = sourceStamp();
  if (builtStamp() === stamp) return;
  mkdirSync(ARTEFACTS, { recursive: true });
  for (const family of FAMILIES)
    writeFileSync(new URL(`${family}.wasm`, ARTEFACTS), await compileKernel(family));
  const classes = readClasses();
  for (const [encoding, family] of Object.entries(VOCABULARIES)) {
    const image = makeImage(splitTokens(readVocabulary(encoding)), family, classes);
    writeFileSync(new URL(`${encoding}.tables`, ARTEFACTS), packImage(image));
  }
  writeFileSync(new URL('stamp', ARTEFACTS), stamp);
}

if (process.argv[1] === new URL(import.meta.url).pathname) await build();
