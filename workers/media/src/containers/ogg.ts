import type { MediaFacts } from '@preflight/core';
import type { FileBytes } from '../file-bytes.js';
import type { MediaReader } from '../media-reader.js';
import { audioFacts, secondsOf } from '../seconds.js';
import { damaged } from '../unreadable.js';

const PAGE_HEADER_BYTES = 27;
const BEGINS_STREAM = 2;
/** A page is at most 65,307 bytes; the last ones of several streams stand near the end. */
const TAIL_BYTES = 256 * 1024;
const MAX_STREAMS = 16;

/** A stream that the file begins with, and how positions in it are times. */
interface Stream {
  readonly serial: number;
  readonly isVideo: boolean;
  seconds(granule: number): number;
}

/** Ogg with Opus, Vorbis, FLAC or Speex, or with Theora: the position of the last page (RFC 3533 §6). */
export const ogg: MediaReader = {
  kind: 'audio',
  matches: (file) => file.is(0, 'OggS'),
  read: (file): MediaFacts => {
    const streams = streamsOf(file);
    const sound = streams.find(({ isVideo }) => !isVideo);
    const film = streams.find(({ isVideo }) => isVideo);
    const timed = film ?? sound;
    if (timed === undefined) throw damaged();
    const seconds = timed.seconds(lastGranule(file, timed.serial));
    if (film === undefined) return audioFacts('audio/ogg', seconds, 1);
    const hasAudio = sound !== undefined;
    return { kind: 'video', seconds: secondsOf(seconds, 1), hasAudio, mimeType: 'video/ogg' };
  },
};

function streamsOf(file: FileBytes): Stream[] {
  const streams: Stream[] = [];
  let at = 0;
  for (let i = 0; i < MAX_STREAMS && file.is(at, 'OggS') && file.u8(at + 5) & BEGINS_STREAM; i++) {
    const segments = file.u8(at + 26);
    const packet = at + PAGE_HEADER_BYTES + segments;
    let packetBytes = 0;
    for (let s = 0; s < segments; s++) packetBytes += file.u8(at + PAGE_HEADER_BYTES + s);
    const stream = streamAt(file, packet, file.u32le(at + 14));
    if (stream !== undefined) streams.push(stream);
    at = packet + packetBytes;
  }
  return streams;
}

function streamAt(file: FileBytes, packet: number, serial: number): Stream | undefined {
  const sound = (samplesPerSecond: number, skipped = 0): Stream => ({
    serial,
    isVideo: false,
    seconds: (granule) => (granule - skipped) / samplesPerSecond,
  });
  if (file.is(packet, 'OpusHead')) return sound(48_000, file.u16le(packet + 10));
  if (file.is(packet, '\x01vorbis')) return sound(file.u32le(packet + 12));
  if (file.is(packet, 'Speex   ')) return sound(file.u32le(packet + 36));
  if (file.is(packet, '\x7fFLAC')) return sound(Math.floor(file.u24(packet + 27) / 16));
  if (!file.is(packet, '\x80theora')) return undefined;
  const framesPerSecond = file.u32(packet + 22) / file.u32(packet + 26);
  // Frames since a key frame stand in the lower bits.
  const shift = 2 ** ((file.u16(packet + 40) >>> 5) & 31);
  return {
    serial,
    isVideo: true,
    seconds: (granule) => (Math.floor(granule / shift) + (granule % shift)) / framesPerSecond,
  };
}

function lastGranule(file: FileBytes, serial: number): number {
  const tailStart = Math.max(0, file.byteLength - TAIL_BYTES);
  const tail = Buffer.from(file.bytes(tailStart, file.byteLength));
  for (let at = tail.lastIndexOf('OggS'); at >= 0; at = at === 0 ? -1 : tail.lastIndexOf('OggS', at - 1)) {
    if (at + PAGE_HEADER_BYTES > tail.length || tail.readUInt32LE(at + 14) !== serial) continue;
    const granule = tail.readBigInt64LE(at + 6);
    // A page on which no packet ends has none.
    if (granule > 0n) return Number(granule);
  }
  throw damaged();
}
