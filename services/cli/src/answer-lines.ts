import { createReadStream } from 'node:fs';
import { Admission, answerBatch } from '@preflight/api';
import { createLog, readConfig } from '@preflight/runtime';
import type { Command } from './arguments.js';
import { takeDone } from './done-lines.js';
import { startEmbedded } from './embedded.js';
import { InputError } from './read-input.js';

const SOME_REFUSED = 2;

/**
 * `preflight batch`: answers each line of a file of any length, and prints results as they come, one on a line. Lines
 * whose ids stand in the results of an earlier run are left out. The exit code says whether all could be answered.
 */
export async function answerLines({ file, call, doneFile }: Command & { name: 'batch' }): Promise<number> {
  const config = readConfig();
  const done = doneFile === undefined ? new Set<string>() : await takeDone(doneFile);
  const embedded = await startEmbedded(config, createLog('error'));
  let refused = 0;
  const upload = {
    batchId: 'file',
    call,
    chunks: chunksOf(file),
    over: new AbortController().signal,
    isDone: (id: string) => done.has(id),
  };
  const print = async (record: Uint8Array, status: number) => {
    if (status !== 200) refused += 1;
    await written(Buffer.concat([Buffer.from('{'), record]));
  };
  try {
    await answerBatch(upload, print, {
      answerer: embedded.answerer,
      admission: new Admission(config.queueLimitBytes),
      lineLimitBytes: config.bodyLimitBytes,
      deadlineMs: config.deadlineMs,
    });
    return refused === 0 ? 0 : SOME_REFUSED;
  } finally {
    await embedded.close();
  }
}

async function* chunksOf(file: string): AsyncGenerator<Uint8Array> {
  try {
    yield* file === '-' ? process.stdin : createReadStream(file);
  } catch (error) {
    throw new InputError(
      `cannot read ${file === '-' ? 'standard input' : file}: ${(error as Error).message}`,
    );
  }
}

/** Resolves when whoever reads the output has room for more. */
function written(line: Buffer): Promise<void> {
  return new Promise((resolve) => {
    if (process.stdout.write(line)) resolve();
    else process.stdout.once('drain', resolve);
  });
}
