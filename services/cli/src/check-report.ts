import type { CheckResponse } from '@preflight/contracts';
import { type Column, table } from './table.js';
import { printable } from './terminal-text.js';

type Violation = CheckResponse['violations'][number];

const COLUMNS: readonly Column<Violation>[] = [
  { title: 'place', align: 'left', cell: ({ pointer }) => printable(pointer || '(request)') },
  { title: 'breaks', align: 'left', cell: ({ code }) => code },
];

/** One row a violation, the rules that are broken with their sources, and the verdict in one line. */
export function checkReport(answer: CheckResponse, width: number): string {
  const { provider, legal, repaired } = answer;
  const lines = [
    ...violationLines(answer, width),
    `${provider} would ${legal ? 'take' : 'refuse'} it: ${countOf(answer.violation_count, 'violation')}.`,
  ];
  if (repaired !== undefined)
    lines.push(
      `Repaired by ${countOf(repaired.edits.length, 'edit')}: ${countOf(repaired.violation_count, 'violation')} left.`,
      ...repaired.warnings.map(({ detail }) => detail),
      ...violationLines(repaired, width),
    );
  return lines.map((line) => `${line}\n`).join('');
}

function violationLines(
  { violations, violation_count }: Pick<CheckResponse, 'violations' | 'violation_count'>,
  width: number,
): string[] {
  if (violations.length === 0) return [];
  const more = violation_count - violations.length;
  const rules = new Map(violations.map((violation) => [violation.code, violation]));
  return [
    ...table(COLUMNS, violations, width),
    ...(more > 0 ? [`and ${more} more`] : []),
    '',
    ...[...rules.values()].map(ruleLine),
    '',
  ];
}

function ruleLine({ code, rule, source, as_of, advice }: Violation): string {
  return `${code}${advice ? ' (advice)' : ''}: ${rule} (${source}, ${as_of})`;
}

function countOf(count: number, name: string): string {
  return `${count === 0 ? 'no' : count} ${name}${count === 1 ? '' : 's'}`;
}
