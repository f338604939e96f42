import { isUtf8 } from 'node:buffer';
import { Worker } from 'node:worker_threads';
import { describe, expect, it } from 'vitest';
import { builtStamp, sourceStamp } from '../../scripts/build-kernel.mjs';
import { onEachStep } from '../steps.js';
import { TextGenerator } from '../testing/generated-texts.js';
import { oracleOf } from '../testing/oracle.js';
import { countWith, patternReaderOf } from '../testing/readers.js';
import { KernelReader } from './kernel-reader.js';
import { KernelThread } from './kernel-thread.js';
import { sharedKernel } from './shared-kernel.js';
import { claimSlot, releaseSlots } from './thread-slots.js';

const FAMILIES = ['o200k_base', 'cl100k_base', 'r50k_base'] as const;
const NO_LIMIT = Number.POSITIVE_INFINITY;
const bytesOf = (text: string) => new TextEncoder().encode(text);

/** The text of bytes that are whole characters. */
const textOf = (bytes: Uint8Array) => (isUtf8(bytes) ? new TextDecoder().decode(bytes) : undefined);

it('was built from the sources that are here', () => {
  expect(builtStamp()).toBe(sourceStamp());
});

describe.each(FAMILIES)('the kernel of %s', (encoding) => {
  const oracle = oracleOf(encoding);
  const reader = new KernelReader(new KernelThread(sharedKernel(encoding)));

  it('counts short texts as tiktoken does', () => {
    const generator = new TextGenerator(11);
    for (let i = 0; i < 20_000; i++) {
      const text = generator.text(24).toWellFormed();
      const expected = oracle.count(text);
      if (countWith(reader, text) !== expected) expect.fail(`not ${expected}: ${JSON.stringify(text)}`);
    }
  });

  it('counts words outside ASCII side by side, whose characters merge in parts', () => {
    const words: string[] = [];
    for (let id = 0; id < 50_000; id++) {
      const word = textOf(oracle.decode(Uint32Array.of(id)));
      if (word !== undefined && /^[^\0-\x7f]{2,}$/.test(word)) words.push(word);
    }
    const pieces = words.flatMap((word, i) => [
      word.repeat(3),
      `${word}${words[(i * 7) % words.length]}${word}`,
    ]);
    for (let i = 0; i < pieces.length; i += 20) {
      const text = pieces.slice(i, i + 20).join('\n');
      expect(countWith(reader, text), text).toBe(oracle.count(text));
    }
  });

  it('tells classes apart at every place of a block', () => {
    const classes = ['é', 'Ж', 'ж', 'ǅ', 'ʰ', '中', '\u0301', '٣', '\u2003', '\u0085', '—', '👩', '𝒜', '𐐀'];
    for (const first of classes)
      for (const second of [...classes, 'a', 'A', '1', "'s", ' ', '\n', '!']) {
        const texts = Array.from(
          { length: 68 },
          (_, i) => `${'ab '.repeat(22).slice(-i)}${first}${second}${first} b`,
        );
        const text = texts.join('\n');
        expect(countWith(reader, text), `${first}${second}`).toBe(oracle.count(text));
      }
  });

  it('ends long pieces of one class wherever another character stands', () => {
    const runs = ['a', 'A', ' ', '\n', ' \n', '!', '中', '\u0301', 'ж'];
    for (const run of runs)
      for (const behind of ['b', 'B', '1', ' ', '\n', '/', '!', 'é', '\u0301', "'ll"]) {
        const texts = Array.from({ length: 36 }, (_, i) => `${run.repeat(70 + i)}${behind}${run}`);
        for (const text of texts)
          if (countWith(reader, text) !== oracle.count(text)) expect.fail(JSON.stringify(text));
      }
  });

  it('counts texts longer than a step, and pieces longer than that', async () => {
    const patterns = await patternReaderOf(encoding);
    const generator = new TextGenerator(12);
    const runs = ['a', 'A', ' ', '\n', '=', '/', '中', 'ab', '\u0301', "'", '日A', '7', '\0', ' \n'];
    const texts = [
      generator.repeat(40_000, () => generator.text(6)).toWellFormed(),
      ...runs.map((run) => `x ${run.repeat(Math.ceil(700_000 / run.length))}y`),
      `日${'A'.repeat(400_000)}`,
      `\n${' '.repeat(400_000)}x`,
      generator.repeat(300_000, () => generator.pick(['q', 'e', 'th', 'X'])),
    ];
    for (const text of texts)
      expect(countWith(reader, text), text.slice(0, 20)).toBe(countWith(patterns, text));
  });

  it('takes as many tokens as it may, and ends where the last of them ends', () => {
    const generator = new TextGenerator(13);
    for (let i = 0; i < 200; i++) {
      const text = generator.text(20).toWellFormed();
      const tokens = oracle.encode(text);
      for (let limit = 0; limit <= tokens.length; limit++) {
        const end = oracle.decode(tokens.subarray(0, limit)).length;
        const bytes = bytesOf(text);
        const taken = reader.take(bytes, 0, bytes.length, limit);
        if (taken.tokens !== limit || taken.end !== end) expect.fail(`${limit} of ${JSON.stringify(text)}`);
      }
    }
  });

  it('takes the start of a long piece', () => {
    const bytes = bytesOf(`${'ab'.repeat(200_000)} ${'a'.repeat(400_000)}`);
    const whole = reader.take(bytes, 0, bytes.length, NO_LIMIT).tokens;
    const first = reader.take(bytes, 0, bytes.length, 12_345);
    const rest = reader.take(bytes, first.end, bytes.length, NO_LIMIT);
    expect(first.tokens + rest.tokens).toBe(whole);
  });

  it('counts strings as it counts their bytes, wherever a step ends', () => {
    const mixed = 'é 中文, 👍🏽 caf\ud800 \udc00x привет\n'.repeat(12_000);
    const texts = Array.from({ length: 8 }, (_, shift) => 'x'.repeat(shift) + mixed);
    texts.push('', `\ufeff${'👍'.repeat(200_000)} ${'a'.repeat(400_000)}\ud800`, `${' '.repeat(300_000)}😀`);
    for (const text of texts) {
      const tokens = countWith(reader, text);
      expect(reader.countString(text, NO_LIMIT)).toBe(tokens);
      for (const limit of [0, 1, tokens >> 1, tokens - 1, tokens])
        expect(reader.countString(text, limit)).toBe(Math.max(0, Math.min(limit, tokens)));
    }
  });

  it('asks between steps whether to go on', () => {
    const bytes = Buffer.from('some words, '.repeat(100_000));
    onEachStep(() => {
      throw new Error('cancelled');
    });
    expect(() => countWith(reader, bytes.toString())).toThrow('cancelled');
    onEachStep(() => undefined);
    expect(countWith(reader, 'hello world')).toBe(2);
  });
});

describe('thread regions', () => {
  it('are handed out once, and again when they are given back', () => {
    const { memory } = sharedKernel('o200k_base');
    const first = claimSlot(memory, 1001);
    const second = claimSlot(memory, 1002);
    expect(second).not.toBe(first);
    releaseSlots(memory, 1001);
    expect(claimSlot(memory, 1003)).toBe(first);
    releaseSlots(memory, 1002);
    releaseSlots(memory, 1003);
  });

  it('share tables with a posted kernel', async () => {
    const kernel = sharedKernel('o200k_base');
    const source = `const { parentPort, workerData } = require('node:worker_threads');
      const exports = new WebAssembly.Instance(workerData.module, { env: { memory: workerData.memory } }).exports;
      const missing = Math.ceil((exports.regionEnd(9) - workerData.memory.buffer.byteLength) / 65536);
      if (missing > 0) workerData.memory.grow(missing);
      const text = exports.attach(9);
      new Uint8Array(workerData.memory.buffer).set(new TextEncoder().encode('hello world'), text);
      exports.step(text, text + 11, 1, 100);
      parentPort.postMessage(exports.tokens.value);`;
    const worker = new Worker(source, { eval: true, workerData: kernel });
    const tokens = await new Promise((resolve, reject) => worker.on('message', resolve).on('error', reject));
    await worker.terminate();
    expect(tokens).toBe(2);
  });
});
