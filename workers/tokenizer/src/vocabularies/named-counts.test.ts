import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';
import type { NamedFamily } from '../encodings.js';
import { loadCounter } from '../load-counter.js';
import { toNfc } from '../normalization/nfc.js';
import { planChunks } from '../safe-split.js';
import { TextGenerator } from '../testing/generated-texts.js';
import { rankData, type TrainedTokenizer, trainedTokenizer } from '../testing/trained-tokenizer.js';
import { nameVocabulary } from './name-vocabulary.js';

const { Tiktoken } = createRequire(import.meta.url)('tiktoken') as typeof import('tiktoken');

const FAMILIES: readonly NamedFamily[] = ['llama3', 'qwen2', 'tekken'];
const FILES = new Map(FAMILIES.map((family) => [family, trainedTokenizer(family)]));
const bytesOf = (family: NamedFamily) => Buffer.from(JSON.stringify(FILES.get(family)));
for (const family of FAMILIES) nameVocabulary(`trained-${family}`, bytesOf(family));

/** tiktoken with the same vocabulary: whole pieces first, then the neighbours whose joined bytes have the lowest rank. */
function oracleOf(family: NamedFamily) {
  const { ranks, pattern } = rankData(FILES.get(family) as TrainedTokenizer);
  const encoder = new Tiktoken(ranks, {}, pattern);
  const encode = (text: string) => {
    const wellFormed = text.replace(/\p{Surrogate}/gu, '\ufffd');
    return encoder.encode_ordinary(family === 'qwen2' ? wellFormed.normalize('NFC') : wellFormed);
  };
  return {
    count: (text: string) => encode(text).length,
    /** Bytes of the first tokens. */
    bytesOf: (text: string, tokens: number) => encoder.decode(encode(text).subarray(0, tokens)).length,
  };
}

describe.each(FAMILIES)('a vocabulary of the family %s', async (family) => {
  const counter = await loadCounter(`trained-${family}`);
  const oracle = oracleOf(family);

  it('counts every kind of text as tiktoken does with the same ranks', () => {
    const generator = new TextGenerator(11);
    for (const [kind, make] of Object.entries(generator.kinds))
      for (let i = 0; i < 60; i++) {
        const text = make(1 + generator.below(50));
        expect(counter.count(text), `${kind}: ${JSON.stringify(text)}`).toBe(oracle.count(text));
      }
  });

  it('counts texts made of its own tokens, whole and broken', () => {
    const { model } = FILES.get(family) as TrainedTokenizer;
    const tokens = Object.keys(model.vocab).slice(-600);
    const generator = new TextGenerator(12);
    const plain = (token: string) => token.replaceAll('\u0120', ' ').replace(/[^ -~]/g, '');
    for (let i = 0; i < 600; i++) {
      const text = generator.repeat(1 + generator.below(8), () => {
        const token = plain(generator.pick(tokens));
        return generator.below(3) === 0 ? token.slice(generator.below(token.length + 1)) : token;
      });
      expect(counter.count(text), JSON.stringify(text)).toBe(oracle.count(text));
    }
  });

  it('cuts where the tokens end', () => {
    const generator = new TextGenerator(13);
    for (let i = 0; i < 200; i++) {
      const text = generator
        .text(30)
        .replace(/\p{Surrogate}/gu, '')
        .normalize('NFC');
      const bytes = Buffer.from(text);
      const tokens = generator.below(oracle.count(text) + 2);
      let end = oracle.bytesOf(text, tokens);
      while (end < bytes.length && ((bytes[end] as number) & 0xc0) === 0x80) end--;
      expect(counter.cutBytes(bytes, tokens), JSON.stringify([text, tokens])).toBe(end);
    }
  });

  it('adds up over chunks, also where texts change before they are split', () => {
    const generator = new TextGenerator(14);
    for (let i = 0; i < 200; i++) {
      const text = generator.text(60);
      const bytes = Buffer.from(text);
      const chunks = planChunks(bytes, family, 1 + generator.below(40));
      const sum = chunks.reduce(
        (total, { start, end }) => total + counter.count(bytes.subarray(start, end)),
        0,
      );
      expect(sum, JSON.stringify(text)).toBe(oracle.count(text));
      const counting = counter.startCount();
      for (let at = 0; at < bytes.length; at += 7) counting.push(bytes.subarray(at, at + 7));
      expect(counting.finish()).toBe(sum);
    }
  });

  it('is linear in what has no end', () => {
    for (const run of ['a', ' ', '\n', '7', '.', 'ab', '\u00e9', '\u0301', '\u0301\u0316', '\u1100\u1161'])
      expect(counter.count(run.repeat(200_000)), JSON.stringify(run)).toBeGreaterThan(0);
  });
});

it('finds tokens that no merge leads to as whole pieces only', async () => {
  const counter = await loadCounter('trained-llama3');
  const alone = counter.count('unreachable');
  expect(alone).toBe(1);
  expect(counter.count('xunreachable')).toBeGreaterThan(2);
  expect(counter.count('unreachablex')).toBeGreaterThan(2);
});

describe('texts that are brought to NFC', async () => {
  const counter = await loadCounter('trained-qwen2');

  it('are cut where no character of the given text is taken in part', () => {
    const text = 'e\u0301'.repeat(40) + '\u1112\u1161\u11ab'.repeat(10) + '\u0958\u2126\u212b'.repeat(5);
    for (let tokens = 0; tokens <= counter.count(text); tokens++) {
      const kept = counter.cut(text, tokens);
      expect(text.startsWith(kept)).toBe(true);
      expect(text.normalize('NFC').startsWith(kept.normalize('NFC')), JSON.stringify(kept)).toBe(true);
      expect(counter.count(kept)).toBeLessThanOrEqual(tokens + 1);
    }
    expect(counter.cut(text, counter.count(text))).toBe(text);
  });

  it('are brought there as Unicode says, however long their runs of marks', () => {
    const generator = new TextGenerator(15);
    const marks = [
      '\u0301',
      '\u0316',
      '\u0334',
      '\u0345',
      '\u093c',
      '\u0903',
      '\u302a',
      '\u05b0',
      '\u0344',
      '\u035c',
    ];
    for (let i = 0; i < 300; i++) {
      const text = generator.repeat(
        3,
        () => `e${generator.repeat(generator.below(150), () => generator.pick(marks))}`,
      );
      expect(toNfc(text)).toBe(text.normalize('NFC'));
    }
  });
});
