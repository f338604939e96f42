import { show } from './mismatch.mjs';

/** One line of totals. @param {string} kind @param {string} encodings @param {import('./fuzz.mjs').Totals} totals */
export function totalsLine(kind, encodings, { cases, compared, characters, ms }) {
  const number = (value) => Math.round(value).toLocaleString('en');
  return (
    `${kind} ${encodings}: ${number(cases)} cases, ${number(compared)} results compared, ` +
    `${number(characters)} characters, ${number((cases / ms) * 1000)} cases/s`
  );
}

/** @param {string} kind @param {number} seed @param {import('./fuzz.mjs').Failure} failure */
export function failureLines(kind, seed, { encoding, index, message, text, isRepeatable }) {
  const lines = [`MISMATCH ${kind} ${encoding}, seed ${seed}, case ${index}: ${message}`, show(text)];
  if (!isRepeatable)
    lines.push(
      'Not repeatable with this text alone: it depends on what was counted before, so run the seed again.',
    );
  return lines.join('\n');
}
