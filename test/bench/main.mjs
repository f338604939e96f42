import { describeMachine, machineLine } from './machine.mjs';
import { readOptions, USAGE } from './options.mjs';
import { appendResult, sectionTables, writePage } from './results.mjs';
import { SECTIONS } from './sections/index.mjs';

/** Runs the sections asked for, shows them, keeps them. Exit code 1 when a count of ours was wrong. */
async function main() {
  const { sections, json, write, help, run } = readOptions(process.argv.slice(2));
  if (help) return void process.stdout.write(USAGE);
  const machine = describeMachine();
  const say = (text) => json || process.stdout.write(`${text}\n`);
  say(machineLine(machine));
  const result = { machine, isQuick: run.isQuick, seed: run.seed, sections: {} };
  for (const section of SECTIONS.filter(({ name }) => sections.includes(name))) {
    const startMs = performance.now();
    const records = await section.run({
      ...run,
      log: (text) => process.stderr.write(`  ${section.name}: ${text}\n`),
    });
    result.sections[section.name] = records;
    say(`\n${section.title} (${((performance.now() - startMs) / 1000).toFixed(0)} s)\n`);
    say(sectionTables(section.name, records));
    for (const fault of section.faults?.(records) ?? []) {
      process.stderr.write(`WRONG: ${fault}\n`);
      process.exitCode = 1;
    }
  }
  if (json) process.stdout.write(`${JSON.stringify(result)}\n`);
  appendResult(result);
  if (write) writePage();
}

await main();
