import { randomUUID } from 'node:crypto';
import { type Answer, problemOf, toPreflightError } from '@preflight/api';
import { writeJsonChunks } from '@preflight/body';
import type {
  CheckResponse,
  CountResponse,
  PreflightResponse,
  Problem,
  TrimmedResponse,
} from '@preflight/contracts';
import { isObject } from '@preflight/core';
import { createLog, readConfig } from '@preflight/runtime';
import type { Command, InputCall } from './arguments.js';
import { checkReport } from './check-report.js';
import { startEmbedded } from './embedded.js';
import { readInput } from './read-input.js';
import { countReport, fitReport, problemReport, trimReport } from './report.js';

/** `preflight fit`, `count` and `check`: prints the answer to one file; the exit code says how it went. */
export async function answerFile(command: Command & { name: InputCall }): Promise<number> {
  const config = readConfig();
  // What a reader must know stands in the answer; the log is for what went wrong with us.
  const embedded = await startEmbedded(config, createLog('error'));
  try {
    const context = {
      instance: `/v1/${CALLS[command.name]}`,
      requestId: randomUUID(),
      signal: new AbortController().signal,
    };
    const answer = await readInput(command.file, command.input)
      .then((tree) => embedded.answerer[CALLS[command.name]](tree, context))
      .catch((error: unknown) => {
        if (!isRefusal(error)) throw error;
        return problemOf(toPreflightError(error), context);
      });
    if (command.isJson)
      for (const chunk of [...writeJsonChunks(answer.body), '\n']) process.stdout.write(chunk);
    else process.stdout.write(report(command.name, answer));
    if (command.name === 'check' && answer.status === 200) return isLegal(answer) ? 0 : 2;
    return EXIT_CODES.get(answer.status) ?? (answer.status >= 500 ? 70 : 65);
  } finally {
    await embedded.close();
  }
}

/** What each command asks for. */
const CALLS = { fit: 'preflight', count: 'count', check: 'check' } as const;

/** As it stands, or after its repair. */
function isLegal({ body }: Answer): boolean {
  const { legal, repaired } = body as unknown as CheckResponse;
  return repaired?.legal ?? legal;
}

const EXIT_CODES = new Map([
  [200, 0],
  [422, 2],
]);

function isRefusal(error: unknown): boolean {
  return toPreflightError(error).code !== 'internal_error';
}

function report(name: InputCall, { status, body }: Answer): string {
  const width = process.stdout.columns ?? 100;
  if (status !== 200) return problemReport(body as unknown as Problem);
  if (isObject(body) && 'hazards' in body) return trimReport(body as unknown as TrimmedResponse, width);
  if (name === 'check') return checkReport(body as unknown as CheckResponse, width);
  return name === 'fit'
    ? fitReport(body as unknown as PreflightResponse, width)
    : countReport(body as unknown as CountResponse, width);
}
