import { type Box, boxesIn, boxIn, brandsOf, requiredBox, WHOLE } from '../containers/iso-boxes.js';
import type { FileBytes } from '../file-bytes.js';
import type { MediaReader } from '../media-reader.js';
import type { MediaType } from '../media-types.js';
import { damaged } from '../unreadable.js';
import { imageFacts } from './sides.js';

/** Brands of still images and of sequences (ISO/IEC 23008-12 §10; AV1 image file format §6). */
const TYPES: ReadonlyMap<string, MediaType> = new Map([
  ['avif', 'image/avif'],
  ['avis', 'image/avif'],
  ['heic', 'image/heic'],
  ['heix', 'image/heic'],
  ['heim', 'image/heic'],
  ['heis', 'image/heic'],
  ['hevc', 'image/heic'],
  ['hevx', 'image/heic'],
  ['mif1', 'image/heif'],
  ['msf1', 'image/heif'],
]);

/** Properties, and items with properties; the grid of a large photo has a hundred. */
const MAX_ENTRIES = 4096;

/** HEIC and AVIF: the size of the primary item, and how it is turned, from the properties that are assigned to it. */
export const heif: MediaReader = {
  kind: 'image',
  matches: (file) => typeOf(file) !== undefined,
  read: (file) => {
    const meta = requiredBox(file, WHOLE, 'meta');
    // A full box: version and flags come first.
    const inMeta = { start: meta.start + 4, end: meta.end };
    const properties = requiredBox(file, inMeta, 'iprp');
    const listed: Box[] = [];
    for (const box of boxesIn(file, requiredBox(file, properties, 'ipco'))) {
      listed.push(box);
      if (listed.length === MAX_ENTRIES) break;
    }
    const primary = primaryItem(file, boxIn(file, inMeta, 'pitm'));
    const assigned = assignedTo(file, requiredBox(file, properties, 'ipma'), primary).flatMap(
      (position) => listed[position - 1] ?? [],
    );
    const size = assigned.find(({ type }) => type === 'ispe');
    if (size === undefined) throw damaged();
    const sides = { widthPx: file.u32(size.start + 4), heightPx: file.u32(size.start + 8) };
    const rotation = assigned.find(({ type }) => type === 'irot');
    // In steps of 90 degrees.
    const isTurned = rotation !== undefined && file.u8(rotation.start) % 2 === 1;
    return imageFacts(typeOf(file) as MediaType, sides, isTurned);
  },
};

/** A sequence names its codec in a further brand only. */
function typeOf(file: FileBytes): MediaType | undefined {
  const types = brandsOf(file).flatMap((brand) => TYPES.get(brand) ?? []);
  return types.find((type) => type !== 'image/heif') ?? types[0];
}

function primaryItem(file: FileBytes, box: Box | undefined): number {
  if (box === undefined) throw damaged();
  return file.u8(box.start) === 0 ? file.u16(box.start + 4) : file.u32(box.start + 4);
}

/** Positions of an item's properties in their list, from 1 (ISO/IEC 23008-12 §9.3). */
function assignedTo(file: FileBytes, { start }: Box, item: number): number[] {
  const version = file.u8(start);
  const isWide = (file.u8(start + 3) & 1) === 1;
  const entries = Math.min(file.u32(start + 4), MAX_ENTRIES);
  let at = start + 8;
  for (let i = 0; i < entries; i++) {
    const id = version < 1 ? file.u16(at) : file.u32(at);
    at += version < 1 ? 2 : 4;
    const count = file.u8(at);
    at += 1;
    if (id === item)
      return Array.from({ length: count }, (_, k) =>
        isWide ? file.u16(at + 2 * k) & 0x7fff : file.u8(at + k) & 0x7f,
      );
    at += count * (isWide ? 2 : 1);
  }
  return [];
}
