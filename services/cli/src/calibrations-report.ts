import type { CalibrationResponse, CalibrationsResponse, Problem } from '@preflight/contracts';
import { TEXT_KINDS } from '@preflight/core';
import { table } from './table.js';
import { printable } from './terminal-text.js';

type Calibration = CalibrationsResponse['calibrations'][number];

/** One row a model: tokens for one that is counted, with their bounds, by kind of text. */
export function calibrationsReport(calibrations: readonly Calibration[], width: number): string {
  if (calibrations.length === 0) return 'Nothing was learned of any model.\n';
  const lines = table<Calibration>(
    [
      { title: 'model', align: 'left', cell: ({ model }) => printable(model) },
      { title: 'samples', align: 'right', cell: ({ samples }) => String(samples) },
      { title: 'rule', align: 'left', cell: ({ rule }) => rule },
      { title: 'date', align: 'left', cell: ({ rule_date }) => rule_date },
      ...TEXT_KINDS.map((kind) => ({
        title: kind,
        align: 'left' as const,
        cell: ({ ratios }: Calibration) => ratioOf(ratios[kind]),
      })),
    ],
    calibrations,
    width,
  );
  return `${lines.join('\n')}\n`;
}

/** What became of the usage with this number, in a line. */
export function usageReport(number: number, answer: CalibrationResponse | Problem): string {
  if ('status' in answer) return `${number}  refused, ${answer.code}: ${printable(answer.detail)}\n`;
  const { model, taken, reason, detail, samples, rule } = answer;
  return taken
    ? `${number}  taken: ${printable(model)}, ${samples} samples, ${rule}\n`
    : `${number}  not taken, ${reason}: ${printable(detail ?? '')}\n`;
}

function ratioOf(ratio: Calibration['ratios'][string] | undefined): string {
  return ratio === undefined ? '' : `${ratio.tokens} (${ratio.low}–${ratio.high})`;
}
