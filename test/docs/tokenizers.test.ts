import { TEXT_RATIO_RULES, type TextRatioRule, UNKNOWN_TEXT_RATIO_RULE } from '@preflight/accounting';
import { TEXT_KINDS } from '@preflight/core';
import { MODEL_CATALOG, STAND_IN_ENCODING } from '@preflight/models';
import { expect, it } from 'vitest';

it('docs/tokenizers.md is what the rules say (update with npm run docs)', async () => {
  const exact = [
    ...new Set(MODEL_CATALOG.list().flatMap((model) => (model.exactEncoding ? [model.encoding] : []))),
  ];
  const page = [
    '# Tokenizers',
    '',
    'Written from `shared/accounting/src/text-ratio-rules.ts` by `npm run docs`; a test compares the two.',
    '',
    `Exact, by tiktoken’s own vocabularies: ${exact.sort().map(code).join(', ')}, and whatever \`encoding\` a request asks for. Models whose`,
    `vocabulary is not at hand are counted in \`${STAND_IN_ENCODING}\`, and the count of every text is multiplied by a ratio: what it is`,
    'expected to be in the model’s own tokens, with the bounds that it should keep within. Answers say so in `text_estimate`. These are',
    'estimates: what the provider’s own count call or `usage` says is better than any of them.',
    '',
    `| rule | ${TEXT_KINDS.join(' | ')} | date |`,
    `| --- | ${TEXT_KINDS.map(() => '---').join(' | ')} | --- |`,
    ...[...TEXT_RATIO_RULES, UNKNOWN_TEXT_RATIO_RULE].map(row),
    '',
    '## Where they are from',
    '',
    ...[...TEXT_RATIO_RULES, UNKNOWN_TEXT_RATIO_RULE].map(({ id, source }) => `- \`${id}\`: ${source}.`),
    '',
    '`json` is JSON and what reads like it: tables, logs, figures; calls and schemas always are. `base64` is bytes written as letters and',
    'digits; files always are. All other texts are looked at: `prose` is what is none of the others.',
    '',
  ].join('\n');
  await expect(page).toMatchFileSnapshot('../../docs/tokenizers.md');
});

function row({ id, ratios, date }: TextRatioRule): string {
  const cells = TEXT_KINDS.map((kind) => {
    const { tokens, low, high } = ratios[kind];
    return `${tokens} (${low}–${high})`;
  });
  return `| \`${id}\` | ${cells.join(' | ')} | ${date} |`;
}

function code(name: string): string {
  return `\`${name}\``;
}
