/** Common types as Python's `mimetypes` gives them, which the reference asks; system tables may differ (Python 3.11). */
const MIME_TYPES: Readonly<Record<string, string>> = {
  avif: 'image/avif',
  bmp: 'image/bmp',
  gif: 'image/gif',
  heic: 'image/heic',
  heif: 'image/heif',
  ico: 'image/vnd.microsoft.icon',
  jpe: 'image/jpeg',
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  png: 'image/png',
  svg: 'image/svg+xml',
  tif: 'image/tiff',
  tiff: 'image/tiff',
  webp: 'image/webp',
  aac: 'audio/aac',
  aif: 'audio/x-aiff',
  aiff: 'audio/x-aiff',
  flac: 'audio/flac',
  m4a: 'audio/mp4',
  mp2: 'audio/mpeg',
  mp3: 'audio/mpeg',
  oga: 'audio/ogg',
  ogg: 'audio/ogg',
  opus: 'audio/opus',
  wav: 'audio/x-wav',
  avi: 'video/x-msvideo',
  m4v: 'video/mp4',
  mov: 'video/quicktime',
  mp4: 'video/mp4',
  mpeg: 'video/mpeg',
  mpg: 'video/mpeg',
  webm: 'video/webm',
  css: 'text/css',
  csv: 'text/csv',
  htm: 'text/html',
  html: 'text/html',
  js: 'text/javascript',
  md: 'text/markdown',
  mjs: 'text/javascript',
  py: 'text/x-python',
  rtf: 'application/rtf',
  text: 'text/plain',
  tsv: 'text/tab-separated-values',
  txt: 'text/plain',
  xml: 'text/xml',
  doc: 'application/msword',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  epub: 'application/epub+zip',
  json: 'application/json',
  odt: 'application/vnd.oasis.opendocument.text',
  pdf: 'application/pdf',
  ppt: 'application/vnd.ms-powerpoint',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  tar: 'application/x-tar',
  xls: 'application/vnd.ms-excel',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  zip: 'application/zip',
};

/** The type that a file name stands for, by its last extension. */
export function mimeTypeOfName(filename: string): string | undefined {
  const dot = filename.lastIndexOf('.');
  // A leading dot hides a file, and does not begin an extension.
  if (dot <= filename.lastIndexOf('/') + 1) return undefined;
  const extension = filename.slice(dot + 1).toLowerCase();
  return Object.hasOwn(MIME_TYPES, extension) ? MIME_TYPES[extension] : undefined;
}

/** The type that the last path segment of a URL stands for. */
export function mimeTypeOfUrl(url: string): string | undefined {
  const path = url.replace(/[?#].*$/s, '').replace(/^[a-z][a-z0-9+.-]*:\/\/[^/]*/i, '');
  return mimeTypeOfName(path.slice(path.lastIndexOf('/') + 1));
}
