import type { FileBytes } from '../file-bytes.js';
import { damaged, Unreadable } from '../unreadable.js';

/** A box of an ISO base media file (ISO/IEC 14496-12 §4.2): its content lies from `start` to `end`. */
export interface Box {
  readonly type: string;
  readonly start: number;
  readonly end: number;
}

/** Boxes beside one another; a fragmented film of hours has some thousands. */
const MAX_BOXES = 20_000;

/** All of a file, whose end need not be known. */
export const WHOLE: Extent = { start: 0, end: Number.POSITIVE_INFINITY };

type Extent = Pick<Box, 'start' | 'end'>;

/** The boxes in another, or in the file. One that claims more than there is ends with what is around it. */
export function* boxesIn(file: FileBytes, { start, end }: Extent): Generator<Box> {
  let at = start;
  for (let i = 0; at + 8 <= end && file.has(at + 8); i++) {
    if (i === MAX_BOXES) throw new Unreadable('took_too_long');
    const box = boxAt(file, at, end);
    yield box;
    at = box.end;
  }
}

function boxAt(file: FileBytes, at: number, end: number): Box {
  const type = file.ascii(at + 4, 4);
  const length = file.u32(at);
  const headerBytes = length === 1 ? 16 : 8;
  const boxBytes = length === 0 ? Number.POSITIVE_INFINITY : length === 1 ? file.u64(at + 8) : length;
  if (boxBytes < headerBytes) throw damaged();
  return { type, start: at + headerBytes, end: Math.min(at + boxBytes, end) };
}

/** The first box of this type in another; undefined where there is none. */
export function boxIn(file: FileBytes, parent: Extent, type: string): Box | undefined {
  for (const box of boxesIn(file, parent)) if (box.type === type) return box;
  return undefined;
}

/** The same where there has to be one. */
export function requiredBox(file: FileBytes, parent: Extent, type: string): Box {
  const box = boxIn(file, parent, type);
  if (box === undefined) throw damaged();
  return box;
}

/** The brands that a file names as its own, the main one first; none for a file that begins with another box. */
export function brandsOf(file: FileBytes): readonly string[] {
  if (!file.is(4, 'ftyp')) return [];
  const end = Math.min(file.u32(0), MAX_BRANDS * 4);
  const brands = [file.ascii(8, 4)];
  for (let at = 16; at + 4 <= end && file.has(at + 4); at += 4) brands.push(file.ascii(at, 4));
  return brands;
}

const MAX_BRANDS = 64;
