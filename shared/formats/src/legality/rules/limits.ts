import type { Part } from '../entry.js';
import type { Scan } from '../legality.js';

/** A file of 50 MB as base64. */
export const FILE_BYTES = 4 * Math.ceil(50_000_000 / 3);

/** Bytes of the whole request as JSON. */
export function bodyAtMost(limitBytes: number): Scan {
  return ({ bytes }) => ({
    see: () => [],
    end: () => (bytes <= limitBytes ? [] : [{ code: 'body_too_large', path: [] }]),
  });
}

/** Parts of a kind in the whole request. */
export function atMost(limit: number, kinds: readonly Part['kind'][], list: string): Scan {
  return () => {
    let count = 0;
    return {
      isOfParts: true,
      see({ parts }) {
        count += parts.filter(({ kind }) => kinds.includes(kind)).length;
        return [];
      },
      end: () => (count <= limit ? [] : [{ code: 'too_many_media', path: [list] }]),
    };
  };
}

/** Bytes of one part, as it is sent. */
export function itemAtMost(limitBytes: number, kind: Part['kind']): Scan {
  return () => ({
    isOfParts: true,
    see: ({ parts }, index) =>
      parts
        .filter((part) => part.kind === kind && (part.bytes ?? 0) > limitBytes)
        .map(({ path }) => ({ code: 'item_too_large', index, path })),
  });
}
