/** All types that files are told to be; only ever added to at its end, since facts are kept by position. */
export const MEDIA_TYPES = [
  'image/png',
  'image/jpeg',
  'image/gif',
  'image/webp',
  'image/avif',
  'image/heic',
  'image/heif',
  'application/pdf',
  'audio/wav',
  'audio/mpeg',
  'audio/flac',
  'audio/ogg',
  'audio/mp4',
  'audio/aac',
  'audio/aiff',
  'audio/webm',
  'video/mp4',
  'video/quicktime',
  'video/webm',
  'video/matroska',
  'video/ogg',
  'video/x-msvideo',
] as const;

export type MediaType = (typeof MEDIA_TYPES)[number];

/** To be raised whenever a reader tells something else of the same bytes, so that what was kept is not found again. */
export const READERS_VERSION = 4;
