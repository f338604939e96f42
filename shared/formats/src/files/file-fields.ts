/** How a file stands in a field: as a data URI, or as base64 alone. */
export type FileForm = 'data_uri' | 'base64';

/** Where a content part may carry a file. */
export interface FileField {
  /** The names that lead to it, from the part on. */
  readonly path: readonly [string, ...string[]];
  readonly form: FileForm;
  /** Whoever reads it takes a data URI in the place of base64 as well. */
  readonly takesUri?: boolean;
}

/** Parts of Chat Completions (formats.md §1). */
export const CHAT_FILE_FIELDS: readonly FileField[] = [
  { path: ['image_url', 'url'], form: 'data_uri' },
  { path: ['file', 'file_data'], form: 'data_uri' },
  { path: ['input_audio', 'data'], form: 'base64' },
];
