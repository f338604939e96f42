import type { FileBytes } from '../file-bytes.js';
import { damaged } from '../unreadable.js';

/** A frame of sound that tells its own length. */
export interface SoundFrame {
  readonly bytes: number;
  readonly samples: number;
  readonly samplesPerSecond: number;
}

/** The frame that begins there; undefined where none does. */
export type FrameAt = (file: FileBytes, at: number) => SoundFrame | undefined;

/** What may stand before the first frame, besides tags. */
const MAX_JUNK_BYTES = 64 * 1024;

/** Some 100 seconds: more is told by what these take of the file. */
const MAX_FRAMES = 4096;

/** Where the first frame is that has another behind it; undefined where there is none. */
export function firstFrame(file: FileBytes, start: number, frameAt: FrameAt): number | undefined {
  for (let at = start; at < start + MAX_JUNK_BYTES && file.has(at + 4); at++) {
    if (file.u8(at) !== 0xff) continue;
    if (isFollowed(file, at, frameAt)) return at;
  }
  return undefined;
}

/** Whether a frame begins there, with another one or the end of the file behind it. */
export function isFollowed(file: FileBytes, at: number, frameAt: FrameAt): boolean {
  const frame = frameAt(file, at);
  if (frame === undefined) return false;
  const next = at + frame.bytes;
  return !file.has(next + 4) || frameAt(file, next) !== undefined;
}

/** Seconds of frames from `start` to `end`: exactly where there are few, and else as long as the first of them let expect. */
export function secondsOfFrames(file: FileBytes, start: number, end: number, frameAt: FrameAt): number {
  let seconds = 0;
  let at = start;
  for (let i = 0; i < MAX_FRAMES && at + 4 <= end; i++) {
    const frame = frameAt(file, at);
    if (frame === undefined) break;
    seconds += frame.samples / frame.samplesPerSecond;
    at += frame.bytes;
  }
  if (seconds === 0) throw damaged();
  return at >= end ? seconds : (seconds * (end - start)) / (at - start);
}
