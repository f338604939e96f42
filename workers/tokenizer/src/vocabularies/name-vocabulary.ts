import { createHash } from 'node:crypto';
import { MOST_WHOLE_PIECES, makeImage } from '../../tables/table-image.mjs';
import { addNamedEncoding, type EncodingFacts, type EncodingName, isShipped } from '../encodings.js';
import { adoptKernel, newKernel } from '../kernel/shared-kernel.js';
import { kernelClasses } from '../unicode/character-class.js';
import { refuseOthers, type VocabularyFacts } from './refuse-others.js';
import { readTokenizerFile, type TokenizerFile } from './tokenizer-file.js';
import { TokenizerFileError } from './tokenizer-file-error.js';

/** A vocabulary that texts can be counted in from now on, by its name. */
export interface NamedVocabulary extends EncodingFacts {
  /** SHA-256 of the file, in hex; the version is its beginning. */
  readonly sha256: string;
  readonly tokenCount: number;
}

const VERSION_DIGITS = 12;
const named = new Map<string, NamedVocabulary>();

/**
 * Makes a vocabulary, given as the bytes of a `tokenizer.json`, an encoding called `name`: exact, with its own kernel. Takes
 * some two seconds and 30 MB, once in a process; threads adopt it with the kernel (`sharedKernel`), and have nothing to read.
 *
 * Throws TokenizerFileError for a file that cannot be counted with exactly, or that is not as `expected`, and for a
 * name that another encoding has.
 */
export function nameVocabulary(name: string, file: Uint8Array, expected?: VocabularyFacts): NamedVocabulary {
  const sha256 = createHash('sha256').update(file).digest('hex');
  const known = named.get(name);
  if (known?.sha256 === sha256) return known;
  if (known !== undefined || isShipped(name))
    throw new TokenizerFileError({ pointer: '', detail: `the name ${name} is that of another encoding` });

  const read = readTokenizerFile(parsed(file));
  if (expected !== undefined) refuseOthers(name, read, expected);
  const { family, vocabulary, isNormalized, wholePieces } = read;
  refuseManyWholePieces(wholePieces);
  const facts: EncodingFacts = {
    family,
    vocabulary: name,
    vocabularyVersion: sha256.slice(0, VERSION_DIGITS),
    ...(isNormalized && { isNormalized }),
  };
  const kernel = newKernel(facts, (memory) => {
    const { buffer, byteOffset, length } = memory;
    const image = Buffer.from(buffer, byteOffset, length);
    try {
      makeImage({ ...vocabulary, wholePieces }, family, kernelClasses(), image);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      throw new TokenizerFileError({ pointer: '/model/merges', detail: `make ${error.message}` });
    }
  });
  addNamedEncoding(facts);
  adoptKernel(kernel);
  const made = { ...facts, sha256, tokenCount: vocabulary.tokens.length };
  named.set(name, made);
  return made;
}

/** The file behind an encoding; undefined for one that is shipped. */
export function vocabularyFile(encoding: EncodingName): NamedVocabulary | undefined {
  return named.get(encoding);
}

function parsed(file: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(file));
  } catch {
    // The reason would quote the file.
    throw new TokenizerFileError({ pointer: '', detail: 'is no JSON in UTF-8' });
  }
}

function refuseManyWholePieces(wholePieces: TokenizerFile['wholePieces']): void {
  const bytes = wholePieces.reduce((sum, piece) => sum + piece.length, 0);
  if (wholePieces.length > MOST_WHOLE_PIECES.count || bytes > MOST_WHOLE_PIECES.bytes)
    throw new TokenizerFileError({
      pointer: '/model/merges',
      detail: `do not lead to ${wholePieces.length} tokens: at most ${MOST_WHOLE_PIECES.count} are supported`,
    });
}
