import type { Rule } from './legality.js';

type FileRules = Readonly<Record<'empty_attachment' | 'invalid_base64' | 'other_media_kind', Rule>>;

/** What every provider refuses of a file for its first and last bytes; `words` are its own, where they are known. */
export function fileRules(
  source: (detail: string) => Rule,
  words: { readonly [Code in keyof FileRules]?: Partial<Rule> } = {},
): FileRules {
  return {
    empty_attachment: { ...source('a file is not empty'), ...words.empty_attachment },
    invalid_base64: { ...source('the bytes of a file are written in base64'), ...words.invalid_base64 },
    other_media_kind: {
      ...source('a file is of the kind that is stated, and that its place takes'),
      ...words.other_media_kind,
    },
  };
}
