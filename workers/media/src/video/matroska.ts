import type { MediaFacts } from '@preflight/core';
import type { FileBytes } from '../file-bytes.js';
import type { MediaReader } from '../media-reader.js';
import type { MediaType } from '../media-types.js';
import { secondsOf } from '../seconds.js';
import { damaged } from '../unreadable.js';

/** Elements by their ids (RFC 8794, RFC 9559). */
const EBML = 0x1a45dfa3;
const DOC_TYPE = 0x4282;
const SEGMENT = 0x18538067;
const INFO = 0x1549a966;
const TIMESTAMP_SCALE = 0x2ad7b1;
const DURATION = 0x4489;
const TRACKS = 0x1654ae6b;
const TRACK_ENTRY = 0xae;
const TRACK_TYPE = 0x83;
const CLUSTER = 0x1f43b675;
const TIMESTAMP = 0xe7;
const SIMPLE_BLOCK = 0xa3;
const BLOCK_GROUP = 0xa0;
const BLOCK = 0xa1;

/** Elements that are walked into; all others are jumped over. */
const ENTERED: ReadonlySet<number> = new Set([EBML, SEGMENT, INFO, TRACKS, TRACK_ENTRY]);
/** Also these, where times have to be told by blocks. */
const WITH_BLOCKS: ReadonlySet<number> = new Set([CLUSTER, BLOCK_GROUP]);

const VIDEO_TRACK = 1;
const AUDIO_TRACK = 2;
const NANOSECONDS = 1e9;
const DEFAULT_SCALE = 1_000_000;

/**
 * Matroska and WebM: the length that the segment tells, or else, of what was recorded live, the time of its last block. Elements
 * have ids of their own at every level, so that the file is one list: an element is walked into by not jumping over it.
 */
export const matroska: MediaReader = {
  kind: 'video',
  matches: (file) => file.has(4) && file.u32(0) === EBML,
  read: (file): MediaFacts => {
    const found = walk(file);
    const ticks = found.durationTicks ?? found.lastTicks;
    if (ticks === undefined) throw damaged();
    const seconds = secondsOf(ticks * found.nanosecondsPerTick, NANOSECONDS);
    const hasAudio = found.trackTypes.has(AUDIO_TRACK);
    if (hasAudio && !found.trackTypes.has(VIDEO_TRACK))
      return { kind: 'audio', seconds, mimeType: 'audio/webm' };
    const mimeType: MediaType = found.docType === 'webm' ? 'video/webm' : 'video/matroska';
    return { kind: 'video', seconds, hasAudio, mimeType };
  },
};

interface Found {
  docType: string;
  nanosecondsPerTick: number;
  durationTicks: number | undefined;
  lastTicks: number | undefined;
  readonly trackTypes: Set<number>;
}

function walk(file: FileBytes): Found {
  const found: Found = {
    docType: '',
    nanosecondsPerTick: DEFAULT_SCALE,
    durationTicks: undefined,
    lastTicks: undefined,
    trackTypes: new Set(),
  };
  let clusterTicks = 0;
  let lastCluster: number | undefined;
  let isInLastCluster = false;
  for (let at = 0; ; ) {
    if (!file.has(at + 2)) {
      // Clusters of known length were jumped over: the last one is looked into.
      if (lastCluster === undefined || isInLastCluster || found.durationTicks !== undefined) return found;
      isInLastCluster = true;
      at = lastCluster;
      continue;
    }
    const element = elementAt(file, at);
    if (element === undefined) return found;
    const { id, start, length } = element;
    if (id === CLUSTER && found.durationTicks !== undefined) return found;
    if (id === CLUSTER) lastCluster = start;
    if (
      length === undefined ||
      ENTERED.has(id) ||
      (WITH_BLOCKS.has(id) && (isInLastCluster || id === BLOCK_GROUP))
    ) {
      at = start;
      continue;
    }
    if (id === DOC_TYPE) found.docType = file.ascii(start, Math.min(length, 16)).replace(/\0+$/, '');
    else if (id === TIMESTAMP_SCALE) found.nanosecondsPerTick = unsigned(file, start, length);
    else if (id === DURATION) found.durationTicks = float(file, start, length);
    else if (id === TRACK_TYPE) found.trackTypes.add(unsigned(file, start, length));
    else if (id === TIMESTAMP) {
      clusterTicks = unsigned(file, start, length);
      found.lastTicks = Math.max(found.lastTicks ?? 0, clusterTicks);
    } else if ((id === SIMPLE_BLOCK || id === BLOCK) && file.has(start + 4)) {
      const relative = file.u16(start + trackNumberBytes(file, start));
      const ticks = clusterTicks + (relative < 0x8000 ? relative : relative - 0x1_0000);
      found.lastTicks = Math.max(found.lastTicks ?? 0, ticks);
    }
    at = start + length;
  }
}

/** What begins there; undefined for no element, or one that breaks off. Without a length, all that follows is in it. */
function elementAt(
  file: FileBytes,
  at: number,
): { readonly id: number; readonly start: number; readonly length: number | undefined } | undefined {
  const idBytes = Math.clz32(file.u8(at)) - 23;
  if (idBytes > 4 || !file.has(at + idBytes + 1)) return undefined;
  const lengthAt = at + idBytes;
  const first = file.u8(lengthAt);
  const lengthBytes = Math.clz32(first) - 23;
  if (lengthBytes > 8 || !file.has(lengthAt + lengthBytes)) return undefined;
  const marker = 2 ** (8 - lengthBytes);
  let length = first - marker;
  let isUnknown = length === marker - 1;
  for (let i = 1; i < lengthBytes; i++) {
    const byte = file.u8(lengthAt + i);
    isUnknown &&= byte === 0xff;
    length = length * 0x100 + byte;
  }
  return {
    id: unsigned(file, at, idBytes),
    start: lengthAt + lengthBytes,
    length: isUnknown ? undefined : length,
  };
}

function trackNumberBytes(file: FileBytes, at: number): number {
  return Math.min(Math.clz32(file.u8(at)) - 23, 2);
}

function unsigned(file: FileBytes, start: number, length: number): number {
  if (length > 8) throw damaged();
  let number = 0;
  for (let i = 0; i < length; i++) number = number * 0x100 + file.u8(start + i);
  return number;
}

function float(file: FileBytes, start: number, length: number): number | undefined {
  const bytes = Buffer.from(Array.from({ length: Math.min(length, 8) }, (_, i) => file.u8(start + i)));
  const value = length === 4 ? bytes.readFloatBE() : length === 8 ? bytes.readDoubleBE() : 0;
  return value > 0 ? value : undefined;
}
