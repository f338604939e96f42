import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inspect } from '@preflight/media';
import { Random } from '../fuzz/random.mjs';

/** Numbers that headers do not expect: lengths, counts, offsets. */
const EXTREMES = [0, 1, 2, 0x7f, 0x80, 0xff, 0x7fff, 0xffff, 0x7fffffff, 0x80000000, 0xfffffffe, 0xffffffff];

/** Most of what headers tell stands here. */
const HEADER_BYTES = 512;

export const MAX_MS = 50;
/** A case that takes longer than this is tried again, since a machine may have had something else to do. */
const DOUBTFUL_MS = 5;
const TRIES = 5;

const KINDS = new Set(['image', 'pdf', 'audio', 'video', 'unreadable']);

/** @typedef {{ name: string, bytes: Buffer }} Seed */

/** The files of the corpus, those that are larger than headers only from their beginning and end. @returns {Seed[]} */
export function readSeeds() {
  const folder = join(import.meta.dirname, 'corpus');
  return readdirSync(folder)
    .sort()
    .map((name) => ({ name, bytes: readFileSync(join(folder, name)) }));
}

/**
 * Inspects `cases` mutated files. Every answer must be facts or a typed refusal, the same twice, and take less than 50 ms.
 * @param {{ seeds: Seed[], seed: number, cases: number, isTimed: boolean, onProgress?: (done: number) => void }} options
 */
export function inspectMutated({ seeds, seed, cases, isTimed, onProgress = () => undefined }) {
  const answers = new Map();
  let slowestMs = 0;
  let slowest = '';
  for (let i = 0; i < cases; i++) {
    const { name, bytes } = mutated(new Random(seed, i), seeds);
    const form = i % 4 === 0 ? 'encoded' : 'bytes';
    const given = form === 'encoded' ? Buffer.from(bytes.toString('base64')) : bytes;
    const failed = (reason) => ({
      failure: { case: i, name, form, bytes, reason },
      answers,
      slowestMs,
      slowest,
    });
    try {
      const { facts, ms } = timed(given, form);
      const least = isTimed && ms > DOUBTFUL_MS ? leastMs(given, form, ms) : ms;
      if (least > slowestMs) [slowestMs, slowest] = [least, `${name}, case ${i}`];
      if (isTimed && least > MAX_MS) return failed(`took ${least.toFixed(0)} ms`);
      const fault = faultIn(facts);
      if (fault !== undefined) return failed(fault);
      const answer = facts.kind === 'unreadable' ? facts.reason : facts.kind;
      answers.set(answer, (answers.get(answer) ?? 0) + 1);
    } catch (error) {
      return failed(`threw ${error}`);
    }
    if (i % 1000 === 999) onProgress(i + 1);
  }
  return { answers, slowestMs, slowest };
}

function timed(given, form) {
  const startMs = performance.now();
  const facts = inspect(given, { form });
  return { facts, ms: performance.now() - startMs };
}

function leastMs(given, form, firstMs) {
  let least = firstMs;
  for (let i = 0; i < TRIES && least > DOUBTFUL_MS; i++) least = Math.min(least, timed(given, form).ms);
  return least;
}

/** What is wrong with an answer; undefined for what is none. */
function faultIn(facts) {
  if (!KINDS.has(facts.kind)) return `is of kind ${facts.kind}`;
  const { widthPx = 1, heightPx = 1, pages = 1, seconds = 1 } = facts;
  const isWhole = [widthPx, heightPx, pages].every((figure) => Number.isSafeInteger(figure) && figure > 0);
  const isSmall = Math.max(widthPx, heightPx) <= 65_535;
  return isWhole && isSmall && Number.isFinite(seconds) && seconds > 0
    ? undefined
    : `is ${JSON.stringify(facts)}`;
}

/** A file of the corpus after one to eight changes, most of them in its header. */
function mutated(random, seeds) {
  const { name, bytes: original } = random.pick(seeds);
  let bytes = Buffer.from(original);
  for (let changes = 1 + random.below(8); changes > 0 && bytes.length > 0; changes--)
    bytes = random.pick(CHANGES)(bytes, random, seeds);
  return { name, bytes };
}

function placeIn(bytes, random) {
  const within = random.below(4) === 0 ? bytes.length : Math.min(bytes.length, HEADER_BYTES);
  return random.below(Math.max(1, within));
}

const CHANGES = [
  function flipBit(bytes, random) {
    const at = placeIn(bytes, random);
    bytes[at] ^= 1 << random.below(8);
    return bytes;
  },
  function setByte(bytes, random) {
    bytes[placeIn(bytes, random)] = random.below(256);
    return bytes;
  },
  function setExtreme(bytes, random) {
    const number = Buffer.alloc(4);
    if (random.below(2) === 0) number.writeUInt32BE(random.pick(EXTREMES));
    else number.writeUInt32LE(random.pick(EXTREMES));
    number.copy(bytes, placeIn(bytes, random));
    return bytes;
  },
  function setDecimal(bytes, random) {
    // Figures of PDF files.
    const digits = Buffer.from(`${random.pick(EXTREMES)}`);
    const from = placeIn(bytes, random);
    const at = bytes.toString('latin1', from).search(/\d/);
    if (at >= 0) digits.copy(bytes, from + at);
    return bytes;
  },
  function cutOff(bytes, random) {
    return bytes.subarray(0, placeIn(bytes, random));
  },
  function leaveOut(bytes, random) {
    const at = placeIn(bytes, random);
    return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1 + random.below(64))]);
  },
  function repeat(bytes, random) {
    const at = placeIn(bytes, random);
    const piece = bytes.subarray(at, at + 1 + random.below(256));
    const times = 1 + random.below(20);
    return Buffer.concat([
      bytes.subarray(0, at),
      ...Array.from({ length: times }, () => piece),
      bytes.subarray(at),
    ]);
  },
  function splice(bytes, random, seeds) {
    const other = random.pick(seeds).bytes;
    const at = placeIn(bytes, random);
    const from = placeIn(other, random);
    return Buffer.concat([bytes.subarray(0, at), other.subarray(from, from + 4096)]);
  },
  function fill(bytes, random) {
    const at = placeIn(bytes, random);
    bytes.subarray(at, at + random.below(4096)).fill(random.pick([0, 0xff, 0x20, 0x3c]));
    return bytes;
  },
];
