import { TextRange, type TextRef } from '@preflight/core';

/** Fields as they travel: columns of numbers as base64 of their bytes (little-endian), all else as it is. */
export type Packed<Fields> = {
  readonly [Name in keyof Fields]: PackedField<Fields[Name]>;
};

type PackedField<Field> = Field extends ArrayBufferView ? TextRef : Field;

export function packColumns<Fields extends object>(fields: Fields): Packed<Fields> {
  const packed = Object.entries(fields).map(([name, value]) => [
    name,
    ArrayBuffer.isView(value)
      ? Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('base64')
      : value,
  ]);
  return Object.fromEntries(packed) as Packed<Fields>;
}

export function unpackInt32(packed: TextRef): Int32Array {
  return new Int32Array(bytesOf(packed));
}

export function unpackUint8(packed: TextRef): Uint8Array {
  return new Uint8Array(bytesOf(packed));
}

export function unpackInt8(packed: TextRef): Int8Array {
  return new Int8Array(bytesOf(packed));
}

/** In memory of their own, since numbers of four bytes must begin at a multiple of four. */
function bytesOf(packed: TextRef): ArrayBuffer {
  const base64 = packed instanceof TextRange ? Buffer.from(packed.bytes()).toString('latin1') : packed;
  return Uint8Array.from(Buffer.from(base64, 'base64')).buffer;
}
