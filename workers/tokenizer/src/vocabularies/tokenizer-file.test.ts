import { describe, expect, it } from 'vitest';
import { type TrainedTokenizer, trainedTokenizer } from '../testing/trained-tokenizer.js';
import { nameVocabulary } from './name-vocabulary.js';
import { readTokenizerFile } from './tokenizer-file.js';
import { TokenizerFileError } from './tokenizer-file-error.js';

const text = JSON.stringify(trainedTokenizer('llama3'));
const changed = (change: (file: TrainedTokenizer) => unknown): unknown => {
  const file = JSON.parse(text) as TrainedTokenizer;
  return change(file) ?? file;
};

const issuesOf = (read: () => unknown) => {
  try {
    read();
  } catch (error) {
    if (error instanceof TokenizerFileError) return error.issues;
    throw error;
  }
  return [];
};

/** Sets without giving anything back. */
const set = (target: object, name: string, value: unknown) => {
  Object.assign(target, { [name]: value });
};

describe('a file that cannot be counted with exactly is refused with the place', () => {
  it.each<[pointer: string, change: (file: TrainedTokenizer) => unknown]>([
    ['', () => []],
    ['/model', (file) => set(file, 'model', null)],
    ['/model/type', (file) => set(file.model, 'type', 'Unigram')],
    ['/model/dropout', (file) => set(file.model, 'dropout', 0.1)],
    ['/model/byte_fallback', (file) => set(file.model, 'byte_fallback', true)],
    ['/model/end_of_word_suffix', (file) => set(file.model, 'end_of_word_suffix', '</w>')],
    ['/model/vocab', (file) => set(file.model, 'vocab', ['a'])],
    ['/model/vocab/a~1b', (file) => set(file.model.vocab, 'a/b', '17')],
    ['/model/vocab/zz', (file) => set(file.model.vocab, 'zz', 17)],
    ['/model/vocab/\u4e2d', (file) => set(file.model.vocab, '\u4e2d', 9999)],
    ['/model/vocab', ({ model }) => void delete model.vocab.a],
    ['/model/merges', (file) => set(file.model, 'merges', undefined)],
    ['/model/merges/0', (file) => set(file.model, 'merges', ['q w', ...file.model.merges])],
    ['/model/merges/1', (file) => void file.model.merges.splice(1, 0, null as unknown as string)],
    ['/pre_tokenizer', (file) => set(file, 'pre_tokenizer', { type: 'Whitespace' })],
    ['/pre_tokenizer', (file) => set(file, 'pre_tokenizer', null)],
    [
      '/pre_tokenizer/pretokenizers/0',
      (file) => set(file.pre_tokenizer.pretokenizers[0] as object, 'pattern', { Regex: '\\w+' }),
    ],
    [
      '/pre_tokenizer/pretokenizers/1',
      (file) => set(file.pre_tokenizer.pretokenizers[1] as object, 'add_prefix_space', true),
    ],
    ['/pre_tokenizer', (file) => set(file, 'pre_tokenizer', 5)],
    ['/pre_tokenizer/pretokenizers/0', (file) => set(file.pre_tokenizer, 'pretokenizers', [null, 5])],
    [
      '/normalizer/normalizers/0',
      (file) => set(file, 'normalizer', { type: 'Sequence', normalizers: [null] }),
    ],
    ['/normalizer', (file) => set(file, 'normalizer', { type: 'Lowercase' })],
    ['/normalizer', (file) => set(file, 'normalizer', { type: 'NFC' })],
    ['/added_tokens', (file) => set(file, 'added_tokens', {})],
  ])('%s', (pointer, change) => {
    expect(issuesOf(() => readTokenizerFile(changed(change))).map((issue) => issue.pointer)).toEqual([
      pointer,
    ]);
  });

  it('with all faults of how it splits at once', () => {
    const file = changed(({ model, ...rest }) => ({
      ...rest,
      model: { ...model, type: 'Unigram', dropout: 1 },
    }));
    expect(issuesOf(() => readTokenizerFile(file))).toHaveLength(2);
  });

  it('if it is no JSON, without a word of what it is', () => {
    for (const bytes of [Buffer.from('{"secret'), Buffer.of(0xff, 0xfe), Buffer.alloc(0)])
      expect(issuesOf(() => nameVocabulary('damaged', bytes))).toEqual([
        { pointer: '', detail: 'is no JSON in UTF-8' },
      ]);
  });

  it('if its name is taken', () => {
    const taken = issuesOf(() => nameVocabulary('o200k_base', Buffer.from(text)));
    expect(taken[0]?.detail).toContain('another encoding');
    nameVocabulary('twice', Buffer.from(text));
    expect(nameVocabulary('twice', Buffer.from(text)).vocabularyVersion).toMatch(/^[0-9a-f]{12}$/);
    expect(issuesOf(() => nameVocabulary('twice', Buffer.from(`${text} `)))).toHaveLength(1);
  });
});

it('tells what it found', () => {
  const { family, isNormalized, wholePieces, vocabulary } = readTokenizerFile(JSON.parse(text));
  expect({ family, isNormalized }).toEqual({ family: 'llama3', isNormalized: false });
  expect(wholePieces).toContain('unreachable');
  for (const [rank, pair] of vocabulary.halves.entries())
    if (pair !== undefined) expect(Math.max(...pair)).toBeLessThan(rank);
});
