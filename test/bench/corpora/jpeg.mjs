/** The usual luminance tables of ITU T.81, annex K: how many codes of each length, and what they stand for. */
const DC = { counts: '00010501010101010100000000000000', symbols: '000102030405060708090a0b' };
const AC = {
  counts: '0002010303020403050504040000017d',
  symbols:
    '01020300041105122131410613516107227114328191a1082342b1c11552d1f02433627282090a161718191a25262728292a34353637' +
    '38393a434445464748494a535455565758595a636465666768696a737475767778797a838485868788898a92939495969798999aa2a3' +
    'a4a5a6a7a8a9aab2b3b4b5b6b7b8b9bac2c3c4c5c6c7c8c9cad2d3d4d5d6d7d8d9dae1e2e3e4e5e6e7e8e9eaf1f2f3f4f5f6f7f8f9fa',
};

/**
 * A grey baseline JPEG of about `bytes` bytes. Its coefficients are drawn as those of a photo fall (fewer and smaller
 * at higher frequencies) and written with the usual Huffman codes, so its bytes are those of any JPEG.
 * @param {import('../random.mjs').Random} random
 * @param {number} bytes
 */
export function makeJpeg(random, bytes) {
  const scan = new BitWriter(bytes + 1024);
  const blocksPerRow = 256;
  let rows = 0;
  for (; scan.length < bytes; rows++)
    for (let block = 0; block < blocksPerRow; block++) writeBlock(scan, random);
  return Buffer.concat([
    headers(blocksPerRow * 8, Math.min(65_535, rows * 8)),
    scan.finish(),
    Buffer.from('ffd9', 'hex'),
  ]);
}

/** Quantized coefficients of one block of 8 x 8: the step to the last block, then runs of zeros and values. */
function writeBlock(scan, random) {
  writeValue(scan, codes.dc, 0, laplace(random, 12));
  const detail = random.next() ** 2 * 40;
  let zeros = 0;
  for (let frequency = 1; frequency < 64; frequency++) {
    const value = laplace(random, detail / frequency);
    if (value === 0) zeros++;
    else {
      for (; zeros > 15; zeros -= 16) scan.write(codes.ac[0xf0]);
      writeValue(scan, codes.ac, zeros << 4, value);
      zeros = 0;
    }
  }
  if (zeros > 0) scan.write(codes.ac[0x00]);
}

function laplace(random, scale) {
  const size = Math.round(-Math.log(1 - random.next()) * scale);
  return Math.min(1023, size) * (random.next() < 0.5 ? -1 : 1) || 0;
}

function writeValue(scan, table, runBits, value) {
  const length = 32 - Math.clz32(Math.abs(value));
  scan.write(table[runBits | length]);
  scan.write({ bits: value < 0 ? value + 2 ** length - 1 : value, length });
}

/** Codes by symbol, numbered as T.81, annex C, tells. */
function huffmanCodes({ counts, symbols }) {
  const list = Buffer.from(symbols, 'hex');
  const table = [];
  let code = 0;
  let at = 0;
  for (const [index, count] of Buffer.from(counts, 'hex').entries()) {
    for (let i = 0; i < count; i++) table[list[at++]] = { bits: code++, length: index + 1 };
    code <<= 1;
  }
  return table;
}

const codes = { dc: huffmanCodes(DC), ac: huffmanCodes(AC) };

function headers(width, height) {
  const hex = (number) => number.toString(16).padStart(4, '0');
  return Buffer.from(
    [
      'ffd8ffe000104a46494600010101004800480000',
      `ffdb004300${'0302020302020303030304030304050805050404050a070706080c0a0c0c0b0a0b0b0d0e12100d0e110e0b0b1016101113141515150c0f171816141812141514'}`,
      `ffc0000b08${hex(height)}${hex(width)}01011100`,
      `ffc4001f00${DC.counts}${DC.symbols}`,
      `ffc400b510${AC.counts}${AC.symbols}`,
      'ffda0008010100003f00',
    ].join(''),
    'hex',
  );
}

/** Bits, the highest first; a zero byte follows each 0xff. */
class BitWriter {
  length = 0;
  #bytes;
  #bits = 0;
  #bitCount = 0;

  constructor(capacityBytes) {
    this.#bytes = Buffer.alloc(capacityBytes);
  }

  write({ bits, length }) {
    this.#bits = (this.#bits << length) | bits;
    this.#bitCount += length;
    while (this.#bitCount >= 8) {
      this.#bitCount -= 8;
      this.#push((this.#bits >>> this.#bitCount) & 0xff);
      this.#bits &= (1 << this.#bitCount) - 1;
    }
  }

  finish() {
    if (this.#bitCount > 0) this.write({ bits: (1 << (8 - this.#bitCount)) - 1, length: 8 - this.#bitCount });
    return this.#bytes.subarray(0, this.length);
  }

  #push(byte) {
    if (this.length + 2 > this.#bytes.length)
      this.#bytes = Buffer.concat([this.#bytes, Buffer.alloc(65_536)]);
    this.#bytes[this.length++] = byte;
    if (byte === 0xff) this.#bytes[this.length++] = 0;
  }
}
