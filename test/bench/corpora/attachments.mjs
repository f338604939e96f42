import { deflateRawSync } from 'node:zlib';
import { makePdf } from '../../../examples/make-sample.mjs';
import { Random } from '../random.mjs';
import { makeJpeg } from './jpeg.mjs';
import { makePng } from './png.mjs';
import { vocabulary, words } from './words.mjs';

/**
 * A message with one file, as it goes over the wire: what is counted for an attachment.
 * @param {Buffer} file
 * @param {string} mimeType
 */
export function attachmentMessage(file, mimeType) {
  const file_data = `data:${mimeType};base64,${file.toString('base64')}`;
  const text = { type: 'text', text: 'Please read the attached file and summarize it.' };
  return { role: 'user', content: [text, { type: 'file', file: { filename: 'attachment', file_data } }] };
}

/** @param {(random: Random, bytes: number) => Buffer} makeFile */
function attachments(name, title, mimeType, makeFile) {
  return {
    name,
    title,
    supplyBytes: Number.POSITIVE_INFINITY,
    open(seed) {
      const random = new Random(`${name} ${seed}`);
      const next = (bytes) => {
        const fileBytes = Math.max(3, Math.floor(((bytes - 180) * 3) / 4));
        return [
          JSON.stringify(attachmentMessage(makeFile(random, fileBytes).subarray(0, fileBytes), mimeType)),
        ];
      };
      return { next };
    },
  };
}

/** Words, deflated: what is inside most file formats. */
function deflated(random, bytes) {
  const list = vocabulary();
  return filled(bytes, () => deflateRawSync(words(random, list, Math.max(64, bytes / 2))));
}

/** Whole files one behind the other until there is enough. */
function filled(bytes, makePart) {
  const parts = [];
  for (let length = 0; length < bytes; length += parts.at(-1).length) parts.push(makePart());
  return Buffer.concat(parts);
}

/** An uncompressed picture that was never drawn on: all zeros behind the header, so a run of one letter as base64. */
function zeroBitmap(random, bytes) {
  const file = Buffer.alloc(bytes);
  if (bytes < 54) return file;
  file.write('BM');
  file.writeUInt32LE(bytes, 2);
  file.writeUInt32LE(54, 10);
  file.writeUInt32LE(40, 14);
  file.writeUInt32LE(100 + random.below(2000), 18);
  file.writeUInt32LE(100 + random.below(2000), 22);
  file.set([1, 0, 24, 0], 26);
  return file;
}

export const attachmentCorpora = [
  attachments('base64', 'random base64 inside its JSON', 'application/octet-stream', (random, bytes) =>
    random.bytes(bytes),
  ),
  attachments('deflate', 'deflate stream, base64', 'application/octet-stream', deflated),
  attachments('pdf', 'PDF, base64', 'application/pdf', (random, bytes) =>
    filled(bytes, () => makePdf(random.below(2 ** 31))),
  ),
  attachments('png', 'PNG, base64', 'image/png', (random, bytes) =>
    filled(bytes, () => makePng(random, bytes)),
  ),
  attachments('jpeg', 'JPEG, base64', 'image/jpeg', makeJpeg),
  attachments('bitmap', 'zero-filled bitmap, base64', 'image/bmp', zeroBitmap),
];
