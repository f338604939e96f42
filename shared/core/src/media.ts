import type { BlobText } from './blob.js';
import type { TextRef } from './text.js';

/** What a provider looks at in a file: pixels, pages, seconds, or its text. */
export type MediaKind = 'image' | 'pdf' | 'audio' | 'video' | 'text';

/** A file as it stands in a message, for accountings that ask what a provider makes of it. */
export interface MediaPart {
  /** What the place says that it is; undefined where only its bytes or its type tell. */
  readonly kind?: MediaKind;
  /** As stated beside the file; that of a data URI stands in it. */
  readonly mimeType?: string;
  /**
   * Base64, a data URI, or a file that came apart. Absent where only the provider can get it, by URL or by the id of an
   * upload, and of a document that is given as text.
   */
  readonly data?: TextRef | BlobText;
  /** Where only the provider can get it: its URL, or the id of an upload. */
  readonly reference?: TextRef;
  /** What of it stands in the request as text: a document that is given so, and titles. */
  readonly texts?: readonly TextRef[];
  /** How closely it is looked at, in the provider's own word (`detail`, `media_resolution`). */
  readonly detail?: string;
  /** What is seen to be wrong with the file; absent where nothing is. */
  readonly fault?: FileFault;
}

/** A file that providers refuse, as far as its first and last bytes tell. */
export interface FileFault {
  /** There is nothing in it; it is written in no base64; or it begins like a file of another kind, or another image, than is stated. */
  readonly reason: 'empty' | 'not_base64' | 'other_kind' | 'other_image';
  /** Of the part or file in the request, as a JSON pointer. */
  readonly pointer: string;
}

/** What is known of a file: read from its bytes, or stated by the caller. */
export type MediaFacts = FactsByKind & {
  /** What the bytes say that they are, whatever was stated; undefined where they say nothing or were not read. */
  readonly mimeType?: string;
};

type FactsByKind =
  | {
      readonly kind: 'image';
      /** As displayed: turned by the orientation that the file states. */
      readonly widthPx: number;
      readonly heightPx: number;
    }
  | {
      readonly kind: 'pdf';
      readonly pages: number;
      /** Tokens of the text on all pages; undefined where it was not read. */
      readonly textTokens?: number;
    }
  | { readonly kind: 'audio'; readonly seconds: number }
  | { readonly kind: 'video'; readonly seconds: number; readonly hasAudio?: boolean }
  | { readonly kind: 'text'; readonly textTokens: number }
  | {
      readonly kind: 'unreadable';
      /** What it was taken for. */
      readonly as?: MediaKind;
      readonly reason: UnreadableReason;
    };

/**
 * Why a file cannot be read as what it is said to be: there is nothing in it; its bytes are not here; what stands in their place is no
 * base64; they begin like a file of another kind; they are of no type that is read; they break off or contradict
 * themselves; they need a password; a figure is beyond any provider's limit; reading them took more steps than any sound file.
 */
export type UnreadableReason =
  | 'empty'
  | 'not_here'
  | 'no_base64'
  | 'other_kind'
  | 'unknown_type'
  | 'damaged'
  | 'encrypted'
  | 'too_large'
  | 'took_too_long';

const KIND_OF_TYPE: ReadonlyMap<string, MediaKind> = new Map([
  ['application/pdf', 'pdf'],
  ['application/x-pdf', 'pdf'],
  ['application/ogg', 'audio'],
  ['application/json', 'text'],
  ['application/xml', 'text'],
  ['application/yaml', 'text'],
  ['application/x-yaml', 'text'],
  ['application/toml', 'text'],
  ['application/sql', 'text'],
  ['application/javascript', 'text'],
  ['application/typescript', 'text'],
  ['application/x-python', 'text'],
  ['application/x-sh', 'text'],
  ['image/svg+xml', 'text'],
]);

/** The kind of a file of this MIME type, parameters and case aside; undefined where the type does not tell. */
export function mediaKindOfType(mimeType: string): MediaKind | undefined {
  const type = (mimeType.split(';', 1)[0] as string).trim().toLowerCase();
  const known = KIND_OF_TYPE.get(type);
  if (known !== undefined) return known;
  if (/\+(json|xml)$/.test(type)) return 'text';
  const [family] = type.split('/', 1);
  return family === 'image' || family === 'audio' || family === 'video' || family === 'text'
    ? family
    : undefined;
}
