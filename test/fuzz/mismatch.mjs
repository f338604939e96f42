/** What a check throws: the counter did not do what tiktoken does. */
export class Mismatch extends Error {
  name = 'Mismatch';
}

/**
 * @param {string} what was asked
 * @param {unknown} actual
 * @param {unknown} expected
 */
export function mustEqual(what, actual, expected) {
  if (actual !== expected) throw new Mismatch(`${what} is ${show(actual)}, not ${show(expected)}`);
}

/** ASCII only, so that what cannot be seen can be read. @param {unknown} value */
export function show(value) {
  return JSON.stringify(value).replace(
    /[^ -~]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
