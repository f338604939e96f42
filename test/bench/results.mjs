import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { machineLine } from './machine.mjs';
import { SECTIONS } from './sections/index.mjs';
import { writeTable } from './tables.mjs';

/** A run of some sections. @typedef {{ machine: any, isQuick: boolean, sections: Record<string, any[]> }} Result */

const RESULTS = join(import.meta.dirname, 'results.jsonl');
const TEMPLATE = join(import.meta.dirname, 'performance.template.md');
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

/** Fills the template with the newest full result of each section; sections that were never run say so. */
export function writePage() {
  const lines = existsSync(RESULTS) ? readFileSync(RESULTS, 'utf8').trim().split('\n') : [];
  const results = lines
    .map((line) => /** @type {Result} */ (JSON.parse(line)))
    .filter(({ isQuick }) => !isQuick);
  const page = readFileSync(TEMPLATE, 'utf8').replace(/\{\{([a-z-]+)\}\}/g, (_, name) => {
    const result = results.findLast(({ sections }) => name in sections);
    if (!result) return 'Not measured yet.';
    return `${sectionTables(name, result.sections[name])}\n\n_${machineLine(result.machine)}._`;
  });
  writeFileSync(PAGE, page);
}
