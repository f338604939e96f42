import { expect, it } from 'vitest';
import { type TrainedTokenizer, trainedTokenizer } from '../testing/trained-tokenizer.js';
import { refuseOthers, type VocabularyFacts } from './refuse-others.js';
import { readTokenizerFile } from './tokenizer-file.js';
import { TokenizerFileError } from './tokenizer-file-error.js';

const file = trainedTokenizer('tekken');
const { vocabulary } = readTokenizerFile(file);
const facts: VocabularyFacts = {
  family: 'tekken',
  isNormalized: false,
  tokens: vocabulary.tokens.length,
  mergedTokens: vocabulary.tokens.length,
};

/** Places and words of what is refused. */
function refused(changed: TrainedTokenizer, expected: VocabularyFacts): string {
  try {
    refuseOthers('known', readTokenizerFile(changed), expected);
  } catch (error) {
    if (error instanceof TokenizerFileError) return error.message;
    throw error;
  }
  return '';
}

const withModel = (model: Partial<TrainedTokenizer['model']>): TrainedTokenizer => ({
  ...file,
  model: { ...file.model, ...model },
});

it('takes the file of the vocabulary, also with more tokens that are no text', () => {
  expect(refused(file, facts)).toBe('');
  const special = { id: 999_999, content: '<|more|>', special: true };
  const vocab = { ...file.model.vocab, '<|more|>': 999_999 };
  const withSpecial = { ...withModel({ vocab }), added_tokens: [...file.added_tokens, special] };
  expect(refused(withSpecial, facts)).toBe('');
});

it.each<[string, TrainedTokenizer, VocabularyFacts, RegExp]>([
  ['another pattern', file, { ...facts, family: 'qwen2' }, /^\/pre_tokenizer has the pattern of tekken/],
  ['other normalization', file, { ...facts, isNormalized: true }, /^\/normalizer is not NFC/],
  [
    'a token more',
    withModel({ vocab: { ...file.model.vocab, zqzqzq: 999_999 }, ignore_merges: false }),
    facts,
    new RegExp(`^/model/vocab has ${facts.tokens + 1} tokens .* known has ${facts.tokens}`),
  ],
  [
    'a merge less',
    withModel({ merges: file.model.merges.slice(0, -1), ignore_merges: false }),
    facts,
    new RegExp(`^/model/merges lead to ${facts.tokens - 1} tokens`),
  ],
])('refuses %s', (_, changed, expected, message) => {
  expect(refused(changed, expected)).toMatch(message);
});

it('tells all at once', () => {
  expect(refused(file, { ...facts, isNormalized: true, tokens: 1 })).toMatch(
    /\/normalizer .*\/model\/vocab /,
  );
});
