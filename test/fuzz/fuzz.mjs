import { Mismatch } from './mismatch.mjs';
import { Random } from './random.mjs';
import { shrink } from './shrink.mjs';

/** Purposes of the numbers of a case. */
const FOR_TEXT = 1;
const FOR_CHECK = 2;

/**
 * A kind of check. Both functions depend on their arguments alone, so that a failure can be made again.
 * @typedef {object} Kind
 * @property {string} name
 * @property {(random: Random, index: number) => string | undefined} text the text of a case; undefined when there are
 *   no more
 * @property {(subject: import('./subjects.mjs').Subject, text: string, random: Random) => number} check throws when the
 *   counter is wrong; returns how many results it compared
 */

/**
 * @typedef {object} Failure
 * @property {string} encoding
 * @property {number} index of the case
 * @property {string} message
 * @property {string} text shrunk
 * @property {boolean} isRepeatable whether the text alone brings the failure about; else it depends on what was
 *   counted before
 */

/**
 * @typedef {object} Totals
 * @property {number} cases each a text with one encoding
 * @property {number} compared results
 * @property {number} characters
 * @property {number} ms
 * @property {Failure | undefined} failure the first; nothing is tried after it
 */

/**
 * Tries case after case, each with all subjects in turn.
 * @param {Kind} kind
 * @param {readonly import('./subjects.mjs').Subject[]} subjects
 * @param {object} options
 * @param {number} options.seed
 * @param {number} [options.cases] of each subject
 * @param {number} [options.seconds]
 * @param {(totals: Totals) => void} [options.onProgress] called now and then
 * @returns {Totals}
 */
export function fuzz(kind, subjects, { seed, cases = Infinity, seconds = Infinity, onProgress }) {
  const startMs = performance.now();
  /** @type {Totals} */
  const totals = { cases: 0, compared: 0, characters: 0, ms: 0, failure: undefined };
  for (let index = 0; index < cases && totals.ms < seconds * 1000; index++) {
    const text = kind.text(new Random(seed, index, FOR_TEXT), index);
    if (text === undefined) break;
    for (const subject of subjects) {
      const run = (/** @type {string} */ text) =>
        kind.check(
          subject,
          subject.isNormalized ? text.normalize('NFC') : text,
          new Random(seed, index, FOR_CHECK),
        );
      try {
        totals.compared += run(text);
      } catch (error) {
        totals.failure = { encoding: subject.encoding, index, ...explain(text, error, run) };
        return totals;
      }
      totals.cases++;
      totals.characters += text.length;
    }
    totals.ms = performance.now() - startMs;
    onProgress?.(totals);
  }
  return totals;
}

/**
 * @param {string} text
 * @param {unknown} first what was thrown
 * @param {(text: string) => unknown} run
 */
function explain(text, first, run) {
  const again = thrownBy(run, text);
  if (again === undefined) return { text, message: messageOf(first), isRepeatable: false };
  const shrunk = shrink(text, (smaller) => thrownBy(run, smaller) !== undefined);
  return { text: shrunk, message: messageOf(thrownBy(run, shrunk) ?? again), isRepeatable: true };
}

/** @param {(text: string) => unknown} run @param {string} text */
function thrownBy(run, text) {
  try {
    run(text);
  } catch (error) {
    return error ?? new Error('nothing was thrown');
  }
  return undefined;
}

/** A trap of WebAssembly is as much of a failure as a wrong count. @param {any} error */
function messageOf(error) {
  return error instanceof Mismatch ? error.message : `${error?.name ?? 'thrown'}: ${error?.message ?? error}`;
}
