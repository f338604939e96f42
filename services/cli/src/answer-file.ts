import { randomUUID } from 'node:crypto';
import { type Answer, problemOf, toPreflightError } from '@preflight/api';
import { writeJsonChunks } from '@preflight/body';
import type { CountResponse, PreflightResponse, Problem, TrimmedResponse } from '@preflight/contracts';
import { isObject } from '@preflight/core';
import { createLog, readConfig } from '@preflight/runtime';
import type { Command } from './arguments.js';
import { startEmbedded } from './embedded.js';
import { readInput } from './read-input.js';
import { countReport, fitReport, problemReport, trimReport } from './report.js';

/** `preflight fit` and `preflight count`: prints the answer to one file; the exit code says how it went. */
export async function answerFile(command: Command & { name: 'fit' | 'count' }): Promise<number> {
  const config = readConfig();
  // What a reader must know stands in the answer; the log is for what went wrong with us.
  const embedded = await startEmbedded(config, createLog('error'));
  try {
    const context = {
      instance: command.name === 'fit' ? '/v1/preflight' : '/v1/count',
      requestId: randomUUID(),
      signal: new AbortController().signal,
    };
    const answer = await readInput(command.file, command.input)
      .then((tree) =>
        command.name === 'fit'
          ? embedded.answerer.preflight(tree, context)
          : embedded.answerer.count(tree, context),
      )
      .catch((error: unknown) => {
        if (!isRefusal(error)) throw error;
        return problemOf(toPreflightError(error), context);
      });
    if (command.isJson)
      for (const chunk of [...writeJsonChunks(answer.body), '\n']) process.stdout.write(chunk);
    else process.stdout.write(report(command.name, answer));
    return EXIT_CODES.get(answer.status) ?? (answer.status >= 500 ? 70 : 65);
  } finally {
    await embedded.close();
  }
}

const EXIT_CODES = new Map([
  [200, 0],
  [422, 2],
]);

function isRefusal(error: unknown): boolean {
  return toPreflightError(error).code !== 'internal_error';
}

function report(name: 'fit' | 'count', { status, body }: Answer): string {
  const width = process.stdout.columns ?? 100;
  if (status !== 200) return problemReport(body as unknown as Problem);
  if (isObject(body) && 'hazards' in body) return trimReport(body as unknown as TrimmedResponse, width);
  return name === 'fit'
    ? fitReport(body as unknown as PreflightResponse, width)
    : countReport(body as unknown as CountResponse, width);
}
