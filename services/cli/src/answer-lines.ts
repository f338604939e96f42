import { createReadStream } from 'node:fs';
import { Admission, answerBatch } from '@preflight/api';
import { createLog, readConfig } from '@preflight/runtime';
import type { Command } from './arguments.js';
import { takeDone } from './done-lines.js';
import { startEmbedded } from './embedded.js';
import { InputError, reasonOf } from './read-input.js';

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
  } catch (error) {
    if (!(error instanceof OutputGone)) throw error;
  } finally {
    await embedded.close();
  }
  return refused === 0 ? 0 : SOME_REFUSED;
}

async function* chunksOf(file: string): AsyncGenerator<Uint8Array> {
  try {
    yield* file === '-' ? process.stdin : createReadStream(file);
  } catch (error) {
    throw new InputError(`cannot read ${file === '-' ? 'standard input' : file}: ${reasonOf(error)}`);
  }
}

/** Whoever read the output is gone, or it cannot be written; the process has been told why. */
class OutputGone extends Error {}

/** Resolves when the output has taken the line, so that lines are done no faster than their results are read. */
function written(line: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.write(line, (error) => (error ? reject(new OutputGone()) : resolve()));
  });
}
