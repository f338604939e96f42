/** How a file stands in a field: as a data URI, or as base64 alone. */
export type FileForm = 'data_uri' | 'base64';

/** Where parts of Chat Completions carry a file (formats.md §1). */
export const FILE_FIELDS = [
  { holder: 'image_url', field: 'url', form: 'data_uri' },
  { holder: 'file', field: 'file_data', form: 'data_uri' },
  { holder: 'input_audio', field: 'data', form: 'base64' },
] as const;
