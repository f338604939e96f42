import {
  MEDIA_RULES,
  type MediaRule,
  OVERHEAD_RULES,
  type OverheadRule,
  RULES_VERSION,
} from '@preflight/accounting';
import { expect, it } from 'vitest';

const TITLES: Readonly<Record<MediaRule['kind'], string>> = {
  image: 'Images',
  pdf: 'PDF files',
  audio: 'Audio',
  video: 'Video',
  text: 'Files of text',
};

/** What all rules say, beside what they cost. */
const COMMON = ['id', 'kind', 'models', 'assumedFor', 'formats', 'basis', 'margin', 'source', 'date'];

it('docs/accounting-rules.md is what the rules say (update with npm run docs)', async () => {
  const page = [
    '# Accounting rules',
    '',
    'Written from `shared/accounting/src/media/rules/` and `overhead-rules.ts` by `npm run docs`; a test compares the two.',
    '',
    `State of knowledge: ${RULES_VERSION}, from public documents and public measurements. Providers change their rules several times a year.`,
    'An operator changes them, or adds some, by a file (`PREFLIGHT_RULES_FILE`), which has lists of changes: `rules` (of attachments),',
    '`overhead_rules` and `text_ratios` (docs/tokenizers.md). The fields are those below; a change of a known `id` says what is other, and a new one',
    'is `like` a known one. `levels` go by',
    '`detail`, or by Gemini’s `media_resolution`; of several rules for a model the one holds that spells out most of its name. A `*` at the end',
    'of a name stands for anything, inside for one word; dated snapshots of a model have its rule, and other variants are taken to have it',
    '(then the basis is `estimate`, with 10 % of room at least).',
    '',
    'Facts that cannot be seen or read have the basis `bound`: `tokens` are those of an image of 1024 × 1024, of 10 pages or of 60 seconds,',
    'and `high` is the most that any file costs.',
    '',
    ...Object.entries(TITLES).flatMap(([kind, title]) => [
      `## ${title}`,
      '',
      '| rule | models | what it costs | basis | source | date |',
      '| --- | --- | --- | --- | --- | --- |',
      ...MEDIA_RULES.filter((rule) => rule.kind === kind).map(row),
      '',
    ]),
    '## What stands around messages',
    '',
    'In the file `families` are those of the catalog or of the models file, and what costs tokens stands as in the table: `message_tokens`, …, and',
    '`tool_schemas` with what is in it, `basis` and `margin`. The instructions that Anthropic gives its models about tools are those that it',
    'publishes for each, unless the file says `instruction_tokens` and `forced_instruction_tokens`.',
    '',
    '| rule | families of models | what it costs | tools | basis | margin | source | date |',
    '| --- | --- | --- | --- | --- | --- | --- | --- |',
    ...OVERHEAD_RULES.map(
      ({ id, families, toolSchemas, basis, margin, source, date, ...costs }) =>
        `| \`${id}\` | ${families.join(', ') || 'all others'} | ${fieldsIn(costs)} | ${schemasIn(toolSchemas)} | ${basis} | ${marginIn(margin)} | ${source} | ${date} |`,
    ),
    '',
  ].join('\n');
  await expect(page).toMatchFileSnapshot('../../docs/accounting-rules.md');
});

function row(rule: MediaRule): string {
  const { id, models, assumedFor = [], formats = [], basis, margin, source, date } = rule;
  const known = models.map(code).join(', ');
  const assumed = assumedFor.length > 0 ? `assumed for ${assumedFor.map(code).join(', ')}` : '';
  const inFormats = formats.length > 0 ? `in ${formats.map(code).join(', ')}` : '';
  const where = [known, assumed, inFormats].filter(Boolean).join('; ');
  const costs = Object.entries(rule).filter(([name]) => !COMMON.includes(name));
  const cost = fieldsIn(Object.fromEntries(costs));
  return `| \`${id}\` | ${where} | ${cost || 'its tokens'} | ${basis}, ${marginIn(margin)} | ${source} | ${date} |`;
}

function schemasIn({ kind, basis, margin, source, date, ...costs }: OverheadRule['toolSchemas']): string {
  return `\`${kind}\`, ${basis}, ${marginIn(margin)}, ${date}: ${fieldsIn(costs)}`;
}

function fieldsIn(costs: object): string {
  return Object.entries(costs)
    .map(([name, value]) => `\`${wireName(name)}\` ${valueIn(value)}`)
    .join('; ');
}

const code = (word: string) => `\`${word}\``;

const wireName = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

function valueIn(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value);
  const members = Object.entries(value).map(([name, member]) => `${wireName(name)} ${valueIn(member)}`);
  return `{${members.join(', ')}}`;
}

function marginIn({ fraction, tokens }: MediaRule['margin']): string {
  const parts = [fraction > 0 ? `${Math.round(fraction * 100)} %` : '', tokens > 0 ? String(tokens) : ''];
  return (
    parts
      .filter(Boolean)
      .map((part) => `± ${part}`)
      .join(' and ') || 'no margin'
  );
}
