#!/usr/bin/env node
import { ConfigError } from '@preflight/runtime';
import { readArguments } from './arguments.js';
import { answerFile } from './answer-file.js';
import { InputError } from './read-input.js';
import { serve } from './serve.js';
import { USAGE, UsageError } from './usage.js';

try {
  const command = readArguments(process.argv.slice(2));
  if (command.name === 'help') process.stdout.write(USAGE);
  else if (command.name === 'serve') await serve(command.options);
  else process.exitCode = await answerFile(command);
} catch (error) {
  process.exitCode = exitCode(error);
}

function exitCode(error: unknown): number {
  if (error instanceof UsageError) {
    process.stderr.write(`preflight: ${error.message}\nTry preflight --help.\n`);
    return 64;
  }
  if (error instanceof InputError) {
    process.stderr.write(`preflight: ${error.message}\n`);
    return 66;
  }
  if (error instanceof ConfigError) {
    process.stderr.write(`preflight: ${error.message}\n`);
    return 78;
  }
  throw error;
}
