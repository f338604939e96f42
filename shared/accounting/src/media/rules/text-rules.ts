import type { TextRule } from '../media-rule.js';

/** Files that providers read as text. What they take out of other kinds of files than plain text is not published. */
export const TEXT_RULES: readonly TextRule[] = [
  {
    id: 'text-file',
    kind: 'text',
    models: [],
    assumedFor: ['*'],
    basis: 'estimate',
    margin: { fraction: 0.05, tokens: 20 },
    source:
      'developers.openai.com/api/docs/guides/file-inputs; platform.claude.com/docs/en/build-with-claude/files',
    date: '2026-09',
  },
];
