/** One fault of a `tokenizer.json`, and where in it. */
export interface TokenizerFileIssue {
  /** JSON pointer; empty for the file as a whole. */
  readonly pointer: string;
  readonly detail: string;
}

/** Thrown for a `tokenizer.json` that cannot be counted with exactly: it is damaged, or says what no kernel does. */
export class TokenizerFileError extends Error {
  override readonly name = 'TokenizerFileError';
  readonly code = 'tokenizer_file';
  readonly issues: readonly TokenizerFileIssue[];

  constructor(...issues: TokenizerFileIssue[]) {
    super(issues.map(({ pointer, detail }) => `${pointer} ${detail}`.trim()).join('; '));
    this.issues = issues;
  }
}
