import type { Margin } from '../../figure.js';
import type { PdfRule } from '../media-rule.js';

const OPENAI =
  'developers.openai.com/api/docs/guides/file-inputs: text and an image of each page, no figure published';
const ANTHROPIC = 'platform.claude.com/docs/en/build-with-claude/pdf-support; public data set pdf-token-cost';
const GEMINI = 'ai.google.dev/gemini-api/docs/document-processing; public data set pdf-token-cost';
const CONVERSE = 'platform.claude.com/docs/en/build-with-claude/pdf-support: Amazon Bedrock';

const ROUGH: Margin = { fraction: 0.15, tokens: 20 };

/** A page of text that nobody has read: 1,500 to 3,000 tokens, as Anthropic's page says. */
const UNREAD = { tokens: 1_500, high: 3_000 };

/** OpenAI's pages cost at most what their images would; portrait pages. */
function openai(
  id: string,
  models: readonly string[],
  pageTokens: PdfRule['pageTokens'],
  assumedFor: readonly string[] = [],
): PdfRule {
  return {
    id,
    kind: 'pdf',
    models,
    ...(assumedFor.length > 0 && { assumedFor }),
    pageTokens,
    auto: 'high',
    pageText: UNREAD,
    basis: 'estimate',
    margin: ROUGH,
    source: OPENAI,
    date: '2026-09',
  };
}

/** Measured in October 2026, on both tiers of images: 1,574 and the text a page. */
const ANTHROPIC_PAGES = {
  kind: 'pdf',
  pageTokens: { high: 1_574 },
  auto: 'high',
  // 3,000 a page in all, and at most 1,568 + 3,000.
  pageText: { tokens: 1_426, high: 2_994 },
  basis: 'estimate',
  margin: { fraction: 0.05, tokens: 0 },
  source: ANTHROPIC,
  date: '2026-10',
} as const;

/** What PDF files cost (accounting.md §4). */
export const PDF_RULES: readonly PdfRule[] = [
  openai('openai-pdf-gpt-5.5', ['gpt-5.5', 'gpt-5.6', 'gpt-6-astra'], { low: 308, high: 3_000 }, ['gpt-6*']),
  openai('openai-pdf-patches', ['gpt-5.2', 'gpt-5.4'], { high: 3_000 }, ['gpt-5.3', 'gpt']),
  openai('openai-pdf-gpt-5-mini', ['gpt-5-mini'], { high: 1_844 }),
  openai('openai-pdf-gpt-5-nano', ['gpt-5-nano'], { high: 2_304 }),
  openai('openai-pdf-gpt-4.1-mini', ['gpt-4.1-mini'], { high: 6_636 }),
  openai('openai-pdf-gpt-4.1-nano', ['gpt-4.1-nano'], { high: 3_779 }),
  openai('openai-pdf-o4-mini', ['o4-mini'], { high: 2_642 }),
  openai('openai-pdf-gpt-4o', ['gpt-4o', 'gpt-4.1', 'gpt-4.5'], { low: 85, high: 765 }, [
    'chatgpt-4o',
    'gpt-4',
  ]),
  openai('openai-pdf-gpt-4o-mini', ['gpt-4o-mini'], { low: 2_833, high: 25_501 }),
  openai('openai-pdf-gpt-5', ['gpt-5', 'gpt-5.1'], { low: 70, high: 630 }),
  openai('openai-pdf-o', ['o1', 'o1-pro', 'o3', 'o3-pro'], { low: 75, high: 675 }),

  {
    id: 'converse-pdf',
    models: [],
    assumedFor: ['claude'],
    formats: ['bedrock-converse'],
    kind: 'pdf',
    pageTokens: { high: 0 },
    auto: 'high',
    pageText: { tokens: 333, high: 3_000 },
    citedPageTokens: 2_333,
    basis: 'estimate',
    margin: ROUGH,
    source: CONVERSE,
    date: '2026-08',
  },
  {
    ...ANTHROPIC_PAGES,
    id: 'anthropic-pdf',
    models: ['claude-*-4-6', 'claude-*-4-7', 'claude-*-4-8', 'claude-*-5*', 'claude-mythos*'],
    assumedFor: ['claude'],
    pageLimit: 600,
  },
  {
    ...ANTHROPIC_PAGES,
    id: 'anthropic-pdf-200k',
    models: [
      'claude-3*',
      'claude-*-3*',
      'claude-3-5*',
      'claude-3-7*',
      'claude-*-4',
      'claude-*-4-0',
      'claude-*-4-1',
      'claude-*-4-5',
    ],
    // Where the window is below 1,000,000 tokens.
    pageLimit: 100,
  },

  {
    id: 'gemini-3-pdf',
    kind: 'pdf',
    models: ['gemini-3*'],
    assumedFor: ['gemini'],
    pageTokens: { low: 280, medium: 560, high: 1_120 },
    auto: 'medium',
    pageLimit: 1_000,
    basis: 'formula',
    margin: { fraction: 0, tokens: 0 },
    source: GEMINI,
    date: '2026-10',
  },
  {
    id: 'gemini-2.5-pdf',
    kind: 'pdf',
    models: ['gemini-2.5*', 'gemini-2.0*'],
    assumedFor: ['gemini-1*'],
    pageTokens: { high: 258 },
    auto: 'high',
    pageText: UNREAD,
    readsScans: true,
    pageLimit: 1_000,
    basis: 'estimate',
    margin: ROUGH,
    source: GEMINI,
    date: '2026-02',
  },

  {
    id: 'unknown-pdf',
    kind: 'pdf',
    models: [],
    assumedFor: ['*'],
    pageTokens: { high: 1_574 },
    auto: 'high',
    pageText: UNREAD,
    basis: 'estimate',
    margin: { fraction: 1, tokens: 0 },
    source: 'no rule is published',
    date: '2026-11',
  },
];
