import type { BlobText } from './blob.js';
import type { TextRef } from './text.js';

/** What a provider looks at in a file: pixels, pages, seconds, or its text. */
export type MediaKind = 'image' | 'pdf' | 'audio' | 'video' | 'text';

/** A file as it stands in a message, for accountings that ask what a provider makes of it. */
export interface MediaPart {
  /** What the place says that it is; undefined where only its bytes or its type tell. */
  readonly kind?: MediaKind;
  readonly mimeType?: string;
  /** Base64, a data URI, or a file that came apart. Absent where only the provider can get it, by URL or by the id of an upload. */
  readonly data?: TextRef | BlobText;
  /** How closely it is looked at, in the provider's own word (`detail`, `media_resolution`). */
  readonly detail?: string;
}

/** What is known of a file: read from its bytes, or stated by the caller. */
export type MediaFacts =
  | { readonly kind: 'image'; readonly widthPx: number; readonly heightPx: number }
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
      readonly reason: 'not_here' | 'unknown_type' | 'damaged' | 'encrypted' | 'too_large' | 'took_too_long';
    };
