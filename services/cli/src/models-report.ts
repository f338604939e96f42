import type { ModelResponse } from '@preflight/contracts';
import { table } from './table.js';
import { printable } from './terminal-text.js';

/** One row a model. */
export function modelsReport(models: readonly ModelResponse[], width: number): string {
  const lines = table(
    [
      { title: 'model', align: 'left', cell: ({ id }) => id },
      { title: 'window', align: 'right', cell: (model) => figure(model.context_window) },
      { title: 'input', align: 'right', cell: (model) => figure(model.max_input_tokens) },
      { title: 'output', align: 'right', cell: (model) => figure(model.max_output_tokens) },
      { title: 'type', align: 'left', cell: (model) => model.window_type },
      { title: 'encoding', align: 'left', cell: encodingOf },
      { title: '$/M in', align: 'right', cell: ({ prices }) => figure(prices?.input ?? null) },
      { title: '$/M out', align: 'right', cell: ({ prices }) => figure(prices?.output ?? null) },
      { title: 'provider', align: 'left', cell: ({ provider }) => provider },
    ],
    models,
    width,
  );
  return `${[...lines.map(printable), '', `${models.length} models`].join('\n')}\n`;
}

/** One fact a line. */
export function modelReport(model: ModelResponse & { readonly matched_by: string }): string {
  const { prices } = model;
  const rows: readonly (readonly [string, string])[] = [
    ['model', `${model.id} (${model.matched_by})`],
    ['provider', `${model.provider}, family ${model.family}`],
    ['window', `${figure(model.context_window)} tokens, ${model.window_type}`],
    ['most input', figure(model.max_input_tokens)],
    ['most output', figure(model.max_output_tokens)],
    ['encoding', encodingOf(model)],
    ['reads', ['text', ...model.capabilities.filter((name) => name !== 'reasoning')].join(', ')],
    ['reasoning', model.reasoning],
    [
      'rules',
      Object.entries(model.rules)
        .map(([kind, rule]) => `${kind}: ${rule}`)
        .join(', '),
    ],
    [
      'prices',
      prices === null
        ? 'not known'
        : `$${prices.input} in, ${prices.cached_input === null ? '' : `$${prices.cached_input} cached, `}$${prices.output} out, a million tokens (${prices.source}, ${prices.date})`,
    ],
    ['source', `${model.source}, ${model.retrieved_at}`],
  ];
  const nameWidth = Math.max(...rows.map(([name]) => name.length));
  return `${rows.map(([name, fact]) => `${name.padEnd(nameWidth)}  ${printable(fact)}`).join('\n')}\n`;
}

function encodingOf({ encoding, exact_encoding }: ModelResponse): string {
  return exact_encoding ? encoding : `${encoding}, stands in`;
}

function figure(value: number | null): string {
  return value === null ? '–' : value.toLocaleString('en-US');
}
