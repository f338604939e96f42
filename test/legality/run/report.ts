import { ERROR_CATALOG, type ErrorCode } from '@preflight/core';
import { RENDERINGS } from '../conversations/index.js';
import { outline } from './outline.js';
import type { counterexample, Tally } from './run.js';

/** What a run came to: outcomes, the share of refusals and why, and what was wrong. */
export function reportLines({
  options,
  conversations,
  results,
  belowFloor,
  outcomes,
  refusals,
  faults,
}: Tally): string[] {
  const refused = sum(refusals);
  const share = ((100 * refused) / Math.max(1, results)).toFixed(1);
  return [
    `${options.format}: ${conversations} conversations, ${results} results, ${sum(faults)} faults, seed ${options.seed}`,
    `  ${listed(outcomes)}`,
    `  refused ${refused} (${share} %), ${belowFloor} of them with a budget below what every strategy keeps`,
    ...sorted(refusals).map(([key, count]) => `    ${count} ${key}: ${descriptionOf(key)}`),
    ...sorted(faults).map(([key, count]) => `  FAULT ${count} ${key}`),
  ];
}

/** The smallest conversation that shows a fault; lengths stand for what is said. */
export function counterexampleLines(
  found: NonNullable<Awaited<ReturnType<typeof counterexample>>>,
): string[] {
  const { generated, verdict } = found;
  const { list = 'messages' } = RENDERINGS[generated.format] ?? {};
  const { [list]: messages, ...rest } = generated.request;
  return [
    `  smallest: ${verdict.way}, budget ${verdict.budget}, model ${generated.model}, ${JSON.stringify(generated.disturbance ?? 'as written')}`,
    ...verdict.faults.map(({ law, detail }) => `    ${law}: ${detail}`),
    ...(Array.isArray(messages) ? messages : []).map((message) => `    ${JSON.stringify(outline(message))}`),
    `    beside them: ${Object.keys(rest).join(', ')}`,
  ];
}

function descriptionOf(key: string): string {
  const code = key.split(': ').at(-1) as ErrorCode;
  return ERROR_CATALOG[code]?.description ?? '';
}

function listed(counts: ReadonlyMap<string, number>): string {
  return sorted(counts)
    .map(([name, count]) => `${name} ${count}`)
    .join(', ');
}

function sorted(counts: ReadonlyMap<string, number>): [string, number][] {
  return [...counts].sort(([, a], [, b]) => b - a);
}

function sum(counts: ReadonlyMap<string, number>): number {
  return [...counts.values()].reduce((total, count) => total + count, 0);
}
