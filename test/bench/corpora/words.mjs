import { proseParagraphs } from './files.mjs';

let list;

/** Some thousand different English words, in the order in which the prose has them: frequent ones come early. */
export function vocabulary() {
  list ??= [
    ...new Set(
      proseParagraphs()
        .slice(-3000)
        .join(' ')
        .match(/\b[A-Za-z][a-z]{1,13}\b/g),
    ),
  ];
  return list;
}

/** A word; early ones are more likely, much as in language.
 * @param {import('../random.mjs').Random} random
 * @param {readonly string[]} list
 */
export function word(random, list) {
  return list[Math.floor(random.next() ** 2 * list.length)];
}

/** @param {number} count */
export function words(random, list, count) {
  return Array.from({ length: count }, () => word(random, list)).join(' ');
}
