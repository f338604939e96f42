import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { machineLine } from './machine.mjs';
import { SECTIONS } from './sections/index.mjs';
import { writeTable } from './tables.mjs';

/** A run of some sections. @typedef {{ machine: any, isQuick: boolean, sections: Record<string, any[]> }} Result */

const RESULTS = join(import.meta.dirname, 'results.jsonl');
const TEMPLATE = join(import.meta.dirname, 'performance.template.md');
const PLACE = /\{\{([a-z-]+)\}\}/g;
const PAGE = join(import.meta.dirname, '../../docs/performance.md');

/** One line a run, at the end of the file. @param {Result} result */
export function appendResult(result) {
  appendFileSync(RESULTS, `${JSON.stringify(result)}\n`);
}

/** The tables of one section, titles left out. */
export function sectionTables(name, records) {
  const section = SECTIONS.find((one) => one.name === name);
  return section.tables(records).map(writeTable).join('\n\n');
}

/** Writes the page from the newest full result of each section. */
export function writePage() {
  const lines = existsSync(RESULTS) ? readFileSync(RESULTS, 'utf8').trim().split('\n') : [];
  const results = lines
    .map((line) => /** @type {Result} */ (JSON.parse(line)))
    .filter(({ isQuick }) => !isQuick);
  writeFileSync(PAGE, fillTemplate(readFileSync(TEMPLATE, 'utf8'), results));
}

/** The template with tables where it names sections; what stands under the heading of one that was never run is left out.
 * @param {string} template
 * @param {Result[]} results
 */
export function fillTemplate(template, results) {
  const newest = (name) => results.findLast(({ sections }) => name in sections);
  const isMeasured = (part) => [...part.matchAll(PLACE)].every(([, name]) => newest(name));
  const tables = (_, name) => {
    const { sections, machine } = newest(name);
    return `${sectionTables(name, sections[name])}\n\n_${machineLine(machine)}._`;
  };
  const parts = template.split(/^(?=## )/m).filter(isMeasured);
  return parts.join('').replace(PLACE, tables);
}
