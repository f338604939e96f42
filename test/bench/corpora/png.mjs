import { crc32, deflateSync } from 'node:zlib';

const WIDTH = 640;

/**
 * A colour PNG of about `bytes` bytes, with the filter Sub: slow waves with the grain of a sensor, as a photo has.
 * @param {import('../random.mjs').Random} random
 * @param {number} bytes
 */
export function makePng(random, bytes) {
  const height = Math.max(1, Math.round(bytes / (WIDTH * 2.05)));
  const rowBytes = 1 + WIDTH * 3;
  const rows = Buffer.alloc(height * rowBytes);
  const wave = Array.from({ length: 6 }, () => random.next() * 0.06);
  for (let y = 0; y < height; y++) {
    rows[y * rowBytes] = 1;
    const left = [0, 0, 0];
    for (let x = 0; x < WIDTH; x++)
      for (let channel = 0; channel < 3; channel++) {
        const light =
          128 + 70 * Math.sin(x * wave[channel] + y * wave[channel + 3]) + (random.next() - 0.5) * 40;
        rows[y * rowBytes + 1 + x * 3 + channel] = light - left[channel];
        left[channel] = Math.trunc(light);
      }
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(WIDTH, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2], 8);
  const signature = Buffer.from('89504e470d0a1a0a', 'hex');
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type, data) {
  const body = Buffer.concat([Buffer.from(type), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const check = Buffer.alloc(4);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, check]);
}
