// `npm run fuzz`: see options.mjs.
import { fuzz } from './fuzz.mjs';
import { readOptions, USAGE } from './options.mjs';
import { failureLines, totalsLine } from './report.mjs';
import { loadSubject, loadTokenizerFile } from './subjects.mjs';

const PROGRESS_MS = 30_000;

/** Runs kind after kind; returns the exit code. @param {string[]} argv */
async function main(argv) {
  const { help, encodings, tokenizers, kinds, cases, seconds, seed } = readOptions(argv);
  if (help) {
    process.stdout.write(USAGE);
    return 0;
  }
  process.stdout.write(`seed ${seed}\n`);
  const subjects = await Promise.all([...encodings.map(loadSubject), ...tokenizers.map(loadTokenizerFile)]);
  const names = subjects.length === 1 ? subjects[0].encoding : `${subjects.length} encodings`;
  for (const kind of kinds) {
    let toldMs = 0;
    const totals = fuzz(kind, subjects, {
      seed,
      cases,
      seconds: seconds === undefined ? undefined : seconds / kinds.length,
      onProgress: (totals) => {
        if (totals.ms - toldMs < PROGRESS_MS) return;
        toldMs = totals.ms;
        process.stderr.write(`  ${totalsLine(kind.name, names, totals)}\n`);
      },
    });
    if (totals.failure !== undefined) {
      process.stdout.write(`${failureLines(kind.name, seed, totals.failure)}\n`);
      return 1;
    }
    process.stdout.write(`${totalsLine(kind.name, names, totals)}\n`);
  }
  return 0;
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  // Wrong options, or a build that is missing.
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 2;
}
