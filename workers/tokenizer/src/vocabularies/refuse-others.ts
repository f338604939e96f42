import type { TokenizerFile } from './tokenizer-file.js';
import { TokenizerFileError, type TokenizerFileIssue } from './tokenizer-file-error.js';

/** What is known of a vocabulary before its file is read. */
export interface VocabularyFacts extends Pick<TokenizerFile, 'family' | 'isNormalized'> {
  /** Without special and added ones. */
  readonly tokens: number;
  /** Of these, bytes and what merges lead to. */
  readonly mergedTokens: number;
}

/**
 * Models that are known to use the vocabulary `name` would be counted with another, and the counts be called exact. Throws
 * TokenizerFileError with all that is other in the file.
 */
export function refuseOthers(
  name: string,
  { family, isNormalized, vocabulary }: TokenizerFile,
  expected: VocabularyFacts,
): void {
  const mergedTokens = vocabulary.tokens.length;
  const tokens = mergedTokens + vocabulary.unreachable.length;
  const issues: TokenizerFileIssue[] = [];
  if (family !== expected.family)
    issues.push({
      pointer: '/pre_tokenizer',
      detail: `has the pattern of ${family}; ${name} has that of ${expected.family}: the file of another vocabulary`,
    });
  if (isNormalized !== expected.isNormalized)
    issues.push({
      pointer: '/normalizer',
      detail: `${isNormalized ? 'is' : 'is not'} NFC, other than that of ${name}: the file of another vocabulary`,
    });
  if (tokens !== expected.tokens)
    issues.push({
      pointer: '/model/vocab',
      detail: `has ${tokens} tokens beside special and added ones; ${name} has ${expected.tokens}: the file of another vocabulary`,
    });
  else if (mergedTokens !== expected.mergedTokens)
    issues.push({
      pointer: '/model/merges',
      detail: `lead to ${mergedTokens} tokens, bytes among them; those of ${name} lead to ${expected.mergedTokens}: merges are missing, or others`,
    });
  if (issues.length > 0) throw new TokenizerFileError(...issues);
}
