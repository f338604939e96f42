#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { ConfigError } from '@preflight/runtime';
import { answerCalibrations } from './answer-calibrations.js';
import { answerFile } from './answer-file.js';
import { answerLines } from './answer-lines.js';
import { answerModels } from './answer-models.js';
import { readArguments } from './arguments.js';
import { StoreError } from './open-calibrations.js';
import { InputError } from './read-input.js';
import { ListenError, serve, serveApi, serveCoordinator } from './serve.js';
import { printable } from './terminal-text.js';
import { USAGE, UsageError } from './usage.js';

const EXIT_CODES = [
  [UsageError, 64],
  [InputError, 66],
  [ListenError, 69],
  [StoreError, 69],
  [ConfigError, 78],
] as const;
const SERVICES = { serve, api: serveApi, coordinator: serveCoordinator };
const BUG = 70;
const CANNOT_WRITE = 74;

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // A reader who has seen enough (`| head`) ends the output, not the command.
  if (error.code === 'EPIPE' || process.exitCode === CANNOT_WRITE) return;
  complain(`cannot write: ${error.message}`);
  process.exitCode = CANNOT_WRITE;
});
process.stderr.on('error', () => undefined);

// The process ends by itself, when everything is written: exiting would cut off what a pipe has not taken yet.
try {
  const command = readArguments(process.argv.slice(2));
  if (command.name === 'help') process.stdout.write(USAGE);
  else if (command.name === 'version') process.stdout.write(`${version()}\n`);
  else if ('options' in command) await SERVICES[command.name](command.options);
  else if (command.name === 'models') process.exitCode = answerModels(command);
  else if (command.name === 'calibrations') process.exitCode = await answerCalibrations(command);
  else {
    const exitCode = command.name === 'batch' ? await answerLines(command) : await answerFile(command);
    process.exitCode ??= exitCode;
  }
} catch (error) {
  process.exitCode = explain(error);
}

/** Of this package; it stands beside the source and beside what is built of it. */
function version(): string {
  return JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).version;
}

/** Says what went wrong; the exit code. */
function explain(error: unknown): number {
  const exitCode = EXIT_CODES.find(([kind]) => error instanceof kind)?.[1];
  if (exitCode === undefined) complain(`a bug of ours: ${(error as Error).stack ?? error}`);
  else complain((error as Error).message);
  if (error instanceof UsageError) process.stderr.write('Try preflight --help.\n');
  return exitCode ?? BUG;
}

function complain(message: string): void {
  process.stderr.write(`${`preflight: ${message}`.split('\n').map(printable).join('\n')}\n`);
}
