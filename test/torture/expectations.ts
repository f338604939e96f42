import { isDeepStrictEqual } from 'node:util';
import { CHECKERS, type Rule } from '../legality/checkers/index.js';
import type { Plain } from './cases.js';
import type { Outcome } from './product.js';

/** Whether one expectation holds; what is wrong in a few words, or nothing. */
type Law = (expected: never, outcome: Outcome, input: Plain) => string | undefined;

const MARK = '\n... [Contents truncated!]';

const PAIRS: ReadonlySet<Rule> = new Set<Rule>([
  'result_without_call',
  'call_without_result',
  'results_split',
  'reasoning_alone',
]);

const LAWS: Readonly<Record<string, Law>> = {
  no_error: (_, { code }) => unless(code === undefined, `error ${code}`),
  error_code_like: (pattern: string, { code }) =>
    unless(code !== undefined && new RegExp(pattern, 'i').test(code), `error ${code}`),
  warns_like: (pattern: string, { warnings = [] }) =>
    unless(
      warnings.some((warning) => new RegExp(pattern, 'i').test(warning)),
      'no such warning',
    ),
  tokens_between: ([least, most]: [number, number], { tokens = Number.NaN }) =>
    unless(tokens >= least && tokens <= most, `${tokens} tokens`),
  min_tokens: (least: number, { tokens = Number.NaN }) => unless(tokens >= least, `${tokens} tokens`),
  max_tokens: (most: number, { tokens = Number.NaN }) => unless(tokens <= most, `${tokens} tokens`),
  message_tokens: (
    { index, between: [least, most] }: { index: number; between: [number, number] },
    { messageTokens = [] },
  ) => {
    const tokens = messageTokens[index] ?? Number.NaN;
    return unless(tokens >= least && tokens <= most, `${tokens} tokens`);
  },
  flags: (flags: Plain, outcome) =>
    Object.entries(flags)
      .map(([name, value]) => unless(outcome.flags?.[name] === value, `${name} is ${outcome.flags?.[name]}`))
      .find(Boolean),
  reports: (names: string[], { reports = {} }) =>
    names.map((name) => unless(reports[name] !== undefined, `no ${name}`)).find(Boolean),
  report_values: (values: Plain, { reports = {} }) =>
    Object.entries(values)
      .map(([name, value]) => unless(isWithin(reports[name], value), `${name} is ${reports[name]}`))
      .find(Boolean),

  within_bytes: (_, { bytes, result, format }) => {
    const list = format === 'openai-responses' ? 'input' : 'messages';
    const written = Buffer.byteLength(JSON.stringify({ [list]: result }));
    const { after, max } = bytes ?? { after: Number.NaN, max: Number.NaN };
    return unless(written === after && after <= max, `${written} bytes, said to be ${after} of ${max}`);
  },
  media_kept_at_least: (least: number, { result = [] }) =>
    unless(result.filter(hasMedia).length >= least, `${result.filter(hasMedia).length} left`),
  media_removed_oldest_first: (_, { result = [], given = [] }) => {
    const isLeft = given.flatMap((message, index) =>
      hasMedia(message) ? [hasMedia(result[index] ?? {})] : [],
    );
    return unless(isLeft.indexOf(true) === isLeft.length - isLeft.filter(Boolean).length, 'in another order');
  },

  kept: (positions: number[], { kept }) => unless(isDeepStrictEqual(kept, positions), `kept ${kept}`),
  must_keep: (positions: number[], { kept = [] }) =>
    unless(
      positions.every((position) => kept.includes(position)),
      `kept ${kept}`,
    ),
  kept_is_suffix: (_, { kept = [], given = [] }) =>
    unless(
      kept.every((position, i) => position === given.length - kept.length + i),
      `kept ${kept.length} of ${given.length}`,
    ),
  kept_count_between: ([least, most]: [number, number], { kept = [] }) =>
    unless(kept.length >= least && kept.length <= most, `kept ${kept.length}`),
  totals_match_messages: (_, { used, tokensAfter = [] }) => {
    const sum = tokensAfter.reduce((total, tokens) => total + tokens, 0);
    return unless(sum === used, `${sum} in messages, ${used} in all`);
  },
  kept_roles: (roles: string[], { result = [] }) =>
    unless(
      isDeepStrictEqual(
        result.map(({ role }) => role),
        roles,
      ),
      `roles ${result.map(({ role }) => role)}`,
    ),
  first_role: (role: string, { result = [] }) => {
    const first = result.find((message) => message.role !== 'system')?.role;
    return unless(first === role, `first is ${first}`);
  },
  together: (groups: number[][], { kept = [] }) =>
    unless(
      groups.every((group) => new Set(group.map((position) => kept.includes(position))).size === 1),
      `kept ${kept}`,
    ),
  unchanged: (positions: number[], outcome) =>
    unless(
      positions.every((position) => isDeepStrictEqual(at(outcome, position), outcome.given?.[position])),
      'changed',
    ),
  shortened: (positions: number[], outcome) =>
    unless(
      positions.every((position) => {
        const length = textAt(outcome, position)?.length ?? Number.NaN;
        return length < String(outcome.given?.[position]?.content).length;
      }),
      'not shortened',
    ),
  marker: (value: number[], outcome) =>
    unless(
      value.every((position) => textAt(outcome, position)?.endsWith(MARK)),
      'no marker',
    ),
  equal_sizes: ({ indices, tolerance }: { indices: number[]; tolerance: number }, { tokensAfter = [] }) => {
    const sizes = indices.map((index) => tokensAfter[index] ?? Number.NaN);
    return unless(Math.max(...sizes) - Math.min(...sizes) <= tolerance, `sizes ${sizes}`);
  },
  pairs_valid: (_, { format = '', result }) => {
    if (result === undefined) return 'no result';
    const request = { [format === 'openai-responses' ? 'input' : 'messages']: result };
    const broken = CHECKERS[format]?.(request, '').filter(({ rule }) => PAIRS.has(rule)) ?? [];
    return unless(broken.length === 0, broken.map(({ rule, pointer }) => `${rule} ${pointer}`).join());
  },
  within_budget: (_, { used = Number.NaN, budget = Number.NaN }) =>
    unless(used <= budget, `${used} of ${budget}`),
  uses_at_least: (fraction: number, { used, budget, cuts }) => {
    const shares = cuts?.map(({ tokens, cap }) => tokens / cap) ?? [
      (used ?? Number.NaN) / (budget ?? Number.NaN),
    ];
    return unless(
      shares.every((share) => share >= fraction),
      `uses ${shares}`,
    );
  },
  equals_input: (_, { given, result }) =>
    unless(JSON.stringify(result) === JSON.stringify(given), 'differs from the input'),
  share_kept: (shares: number[], { tokensAfter = [] }, { tolerance = 0 }) =>
    unless(
      shares.every((share, i) => Math.abs(share - (tokensAfter[i] ?? Number.NaN)) <= (tolerance as number)),
      `shares ${tokensAfter}`,
    ),
  tolerance: () => undefined,

  well_formed: (_, { cuts = [] }) =>
    unless(
      cuts.every(({ text }) => text.isWellFormed()),
      'ill formed',
    ),
  within_cap: (_, { cuts = [] }) =>
    unless(
      cuts.every(({ tokens, cap }) => tokens <= cap),
      'over the cap',
    ),
  prefix_of_input: (_, { cuts = [] }, { text }) =>
    unless(
      cuts.every((cut) => (text as string).startsWith(cut.text)),
      'no prefix',
    ),
  suffix_of_input: (_, { cuts = [] }, { text }) =>
    unless(
      cuts.every((cut) => (text as string).endsWith(withoutMarker(cut.text))),
      'no suffix',
    ),
  wall_ms_below: (limit: number, { wallMs = Number.NaN }) => unless(wallMs < limit, `${wallMs} ms`),
};

/** What the bench and the suites of the service measure: time and memory over sizes, and against a control. */
const MEASURED_ELSEWHERE = new Set([
  'linear',
  'control',
  'relations',
  'groups',
  'sequence',
  'ms_per_char_vs_control_at_most',
  'rss_growth_mb_below',
  'rss_mb_below',
  'loop_delay_ms_below',
  'encoded_chars_per_char_at_most',
]);

/** What may never be; crashes and hangs fail by themselves. */
const NEVER: Readonly<Record<string, (outcome: Outcome) => boolean>> = {
  empty: ({ result }) => result?.length === 0,
  system_only: ({ result }) => result?.every(({ role }) => role === 'system') ?? false,
  over_budget: ({ used, budget }) => used !== undefined && budget !== undefined && used > budget,
  lone_surrogate: ({ cuts = [] }) => cuts.some(({ text }) => !text.isWellFormed()),
  replacement_char: ({ cuts = [] }) => cuts.some(({ text }) => text.includes('\ufffd')),
  undefined_entries: ({ result }) =>
    result?.some((message) => message === null || message === undefined) ?? false,
  reasoning_warning: ({ warnings = [] }) => warnings.some((warning) => /reason|think/i.test(warning)),
  silent_estimate: ({ flags, warnings = [], reports = {} }) =>
    flags?.exact === false && warnings.length === 0 && reports.upper_bound === undefined,
  error: ({ code }) => code !== undefined,
  crash: () => false,
  hang: () => false,
};

/** All that is wrong with an outcome, by the expectation that it breaks. */
export function faultsOf(expected: Plain, outcome: Outcome, input: Plain): string[] {
  return Object.entries(expected).flatMap(([name, value]) => {
    if (name === 'any_of') {
      const alternatives = (value as Plain[]).map((one) => faultsOf(one, outcome, input));
      return alternatives.some((faults) => faults.length === 0)
        ? []
        : [`any_of: ${alternatives.join(' / ')}`];
    }
    if (name === 'never') return (value as string[]).filter((never) => neverLaw(never)(outcome));
    if (MEASURED_ELSEWHERE.has(name)) return [];
    const law = LAWS[name];
    if (law === undefined) throw new Error(`no such expectation: ${name}`);
    const wrong = law(value as never, outcome, { ...input, tolerance: expected.tolerance });
    return wrong === undefined ? [] : [`${name}: ${wrong}`];
  });
}

/** Of a tail, whose marker stands in front of it. */
function withoutMarker(text: string): string {
  const end = text.indexOf(MARK.trim());
  return end === -1 ? text : text.slice(end + MARK.trim().length).replace(/^\n/, '');
}

function neverLaw(name: string) {
  const law = NEVER[name];
  if (law === undefined) throw new Error(`no such never: ${name}`);
  return law;
}

function hasMedia({ content }: Plain): boolean {
  return Array.isArray(content) && content.some(({ type }: Plain) => type !== 'text');
}

function unless(holds: boolean, wrong: string): string | undefined {
  return holds ? undefined : wrong;
}

function isWithin(value: unknown, expected: unknown): boolean {
  if (typeof expected !== 'object' || expected === null) return value === expected;
  const { min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY } = expected as {
    min?: number;
    max?: number;
  };
  return typeof value === 'number' && value >= min && value <= max;
}

/** The message that stands where one of the input stood. */
function at({ kept = [], result = [] }: Outcome, position: number): Plain | undefined {
  return result[kept.indexOf(position)];
}

function textAt(outcome: Outcome, position: number): string | undefined {
  const content = at(outcome, position)?.content;
  return typeof content === 'string' ? content : undefined;
}
