import { TextRange, type TextRef } from '@preflight/core';

/** Fields as they travel: columns of numbers as lists, or as base64 of their bytes (little-endian), all else as it is. */
export type Packed<Fields> = {
  readonly [Name in keyof Fields]: PackedField<Fields[Name]>;
};

type PackedField<Field> = Field extends ArrayBufferView ? PackedColumn : Field;

export type PackedColumn = readonly number[] | TextRef;

/** Up to so many numbers a list is written and read faster; above it takes more bytes, and more values to parse. */
const LISTED_NUMBERS = 64;

/** Fields as they travel; the `unpack…` of its type gives a column back. */
export function packColumns<Fields extends object>(fields: Fields): Packed<Fields> {
  const packed: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(fields))
    packed[name] = ArrayBuffer.isView(value) ? packColumn(value as NumberColumn) : value;
  return packed as Packed<Fields>;
}

export function unpackInt32(packed: PackedColumn): Int32Array {
  return new Int32Array(numbersOf(packed));
}

export function unpackUint8(packed: PackedColumn): Uint8Array {
  return new Uint8Array(numbersOf(packed));
}

export function unpackInt8(packed: PackedColumn): Int8Array {
  return new Int8Array(numbersOf(packed));
}

export function unpackFloat64(packed: PackedColumn): Float64Array {
  return new Float64Array(numbersOf(packed));
}

type NumberColumn = Int32Array | Uint8Array | Int8Array | Float64Array;

function packColumn(column: NumberColumn): PackedColumn {
  if (column.length <= LISTED_NUMBERS) return Array.from(column);
  return Buffer.from(column.buffer, column.byteOffset, column.byteLength).toString('base64');
}

/** Those of a list, or their bytes, in memory of their own, since numbers of several bytes must begin at a multiple of them. */
function numbersOf(packed: PackedColumn): readonly number[] | ArrayBuffer {
  if (Array.isArray(packed)) return packed;
  const base64 = packed instanceof TextRange ? Buffer.from(packed.bytes()).toString('latin1') : packed;
  return Uint8Array.from(Buffer.from(base64 as string, 'base64')).buffer;
}
