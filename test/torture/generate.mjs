// Expands the generator specs of the torture pack into text, bytes and messages. Node 20 or newer, no dependencies.
//   node generate.mjs                              self-check (exit code 1 on a mismatch)
//   node generate.mjs cases.jsonl                  size and SHA-256 of every expanded input
//   node generate.mjs cases.jsonl T03 [variant]    prints one expanded input as JSON
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

/** The only source of randomness: mulberry32, numbers in [0, 1). */
export function mulberry32(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
// Each of these is one token in cl100k_base and in o200k_base, alone and after a space,
// so {"words": n} is exactly n tokens in both.
const WORDS = (
  'river stone cloud paper window market winter summer engine signal record number letter bridge forest silver ' +
  'planet camera ticket doctor teacher student castle mirror button basket orange yellow purple simple quick quiet'
).split(' ');

function fillRandom(length, seed, pick) {
  const next = mulberry32(seed);
  const out = Buffer.alloc(length);
  for (let i = 0; i < length; i++) out[i] = pick(next());
  return out;
}

// ---- bytes -----------------------------------------------------------------------------------------------------

const CRC = Uint32Array.from({ length: 256 }, (_, n) => {
  for (let k = 0; k < 8; k++) n = n & 1 ? 0xedb88320 ^ (n >>> 1) : n >>> 1;
  return n >>> 0;
});

function pngChunk(type, data) {
  const out = Buffer.alloc(data.length + 12);
  out.writeUInt32BE(data.length, 0);
  out.write(type, 4, 'latin1');
  data.copy(out, 8);
  let crc = 0xffffffff;
  for (let i = 4; i < data.length + 8; i++) crc = CRC[(crc ^ out[i]) & 255] ^ (crc >>> 8);
  out.writeUInt32BE(~crc >>> 0, data.length + 8);
  return out;
}

/** A valid all-black 1-bit PNG. Stored (uncompressed) blocks only, so no zlib version can change the bytes. */
function png({ width, height, pad_bytes = 0, seed = 1 }) {
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0]);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  const length = height * (1 + Math.ceil(width / 8));
  const zlib = [Buffer.from([0x78, 0x01])];
  for (let at = 0; at < length; at += 65535) {
    const size = Math.min(65535, length - at);
    const block = Buffer.alloc(5 + size);
    block[0] = at + size === length ? 1 : 0;
    block.writeUInt16LE(size, 1);
    block.writeUInt16LE(size ^ 0xffff, 3);
    zlib.push(block);
  }
  const adler = Buffer.alloc(4); // of zeros: low half stays 1, high half is the length
  adler.writeUInt16BE(length % 65521, 0);
  adler.writeUInt16BE(1, 2);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    pngChunk('IHDR', header),
    pngChunk('IDAT', Buffer.concat([...zlib, adler])),
    ...(pad_bytes ? [pngChunk('paDd', bytes({ random_bytes: pad_bytes, seed }))] : []), // private chunk, readers skip it
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}

/** A valid PDF with plain page streams, and optionally one unused random stream that only adds weight. */
function pdf({ pages, text_per_page = 'page', pad_bytes = 0, seed = 1 }) {
  const stream = (data) => [
    Buffer.from(`<</Length ${data.length}>>stream\n`),
    data,
    Buffer.from('\nendstream'),
  ];
  const line = text(text_per_page).replace(/[\\()]/g, '\\$&');
  const kids = Array.from({ length: pages }, (_, i) => `${4 + 2 * i} 0 R`).join(' ');
  const objects = [
    [Buffer.from('<</Type/Catalog/Pages 2 0 R>>')],
    [Buffer.from(`<</Type/Pages/Kids[${kids}]/Count ${pages}>>`)],
    [Buffer.from('<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>')],
  ];
  for (let i = 0; i < pages; i++) {
    const box = '/MediaBox[0 0 612 792]/Resources<</Font<</F1 3 0 R>>>>';
    const page = `<</Type/Page/Parent 2 0 R${box}/Contents ${5 + 2 * i} 0 R>>`;
    objects.push([Buffer.from(page)], stream(Buffer.from(`BT /F1 10 Tf 40 750 Td (${line} ${i + 1}) Tj ET`)));
  }
  if (pad_bytes) objects.push(stream(bytes({ random_bytes: pad_bytes, seed })));
  const parts = [Buffer.from('%PDF-1.4\n')];
  let at = parts[0].length;
  let xref = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n`;
  objects.forEach((body, i) => {
    xref += `${String(at).padStart(10, '0')} 00000 n \n`;
    const object = Buffer.concat([Buffer.from(`${i + 1} 0 obj\n`), ...body, Buffer.from('\nendobj\n')]);
    parts.push(object);
    at += object.length;
  });
  parts.push(
    Buffer.from(`${xref}trailer<</Size ${objects.length + 1}/Root 1 0 R>>\nstartxref\n${at}\n%%EOF\n`),
  );
  return Buffer.concat(parts);
}

/** n MPEG-1 layer III frames of silence: 128 kbit/s, 44.1 kHz, 417 bytes and 1152 samples each. */
function mp3(frames) {
  const out = Buffer.alloc(frames * 417);
  for (let at = 0; at < out.length; at += 417) out.writeUInt32BE(0xfffb9000, at);
  return out;
}

export function bytes(spec) {
  if ('zero_bytes' in spec) return Buffer.alloc(spec.zero_bytes);
  if ('fill_byte' in spec) return Buffer.alloc(spec.count, spec.fill_byte);
  if ('random_bytes' in spec) return fillRandom(spec.random_bytes, spec.seed, (r) => Math.floor(r * 256));
  if ('utf8' in spec) return Buffer.from(text(spec.utf8), 'utf8');
  if ('png' in spec) return png(spec.png);
  if ('pdf' in spec) return pdf(spec.pdf);
  if ('mp3_frames' in spec) return mp3(spec.mp3_frames);
  throw new Error(`unknown bytes spec: ${JSON.stringify(spec).slice(0, 120)}`);
}

// ---- text ------------------------------------------------------------------------------------------------------

const FORMS = {
  repeat: [['times'], (s) => text(s.repeat).repeat(s.times)],
  random_letters: [
    ['seed'],
    (s) =>
      fillRandom(s.random_letters, s.seed, (r) => LETTERS.charCodeAt(Math.floor(r * 26))).toString('latin1'),
  ],
  words: [
    ['seed'],
    (s) => {
      const next = mulberry32(s.seed);
      return Array.from({ length: s.words }, () => WORDS[Math.floor(next() * 32)]).join(' ');
    },
  ],
  code_points: [[], (s) => String.fromCodePoint(...s.code_points)],
  utf16: [[], (s) => String.fromCharCode(...s.utf16)], // may build lone surrogates
  base64_of: [[], (s) => bytes(s.base64_of).toString('base64')],
  data_url: [['mime'], (s) => `data:${s.mime};base64,${bytes(s.data_url).toString('base64')}`],
  concat: [[], (s) => s.concat.map(text).join('')],
  json: [[], (s) => JSON.stringify(expand(s.json))],
};

function formOf(value) {
  const keys = Object.keys(value);
  return keys.find(
    (key) => Object.hasOwn(FORMS, key) && keys.every((k) => k === key || FORMS[key][0].includes(k)),
  );
}

export function text(spec) {
  if (typeof spec === 'string') return spec;
  const form = formOf(spec);
  if (!form) throw new Error(`unknown text spec: ${JSON.stringify(spec).slice(0, 120)}`);
  return FORMS[form][1](spec);
}

// ---- values, lists, cases ----------------------------------------------------------------------------------------

function vary(spec, label, offset) {
  if (typeof spec === 'string') return label === undefined ? spec : spec.replaceAll('{i}', String(label));
  if (Array.isArray(spec)) return spec.map((item) => vary(item, label, offset));
  if (spec === null || typeof spec !== 'object') return spec;
  if (Array.isArray(spec.many)) return { ...spec, many: vary(spec.many, undefined, offset * spec.times) };
  return Object.fromEntries(
    Object.entries(spec).map(([key, v]) => [
      key,
      key === 'seed' && typeof v === 'number' ? v + offset : vary(v, label, offset),
    ]),
  );
}

/**
 * Iteration i of a repeated spec: '{i}' in literal strings becomes the number and every seed grows by i. A list that is
 * unrolled inside it keeps its own '{i}', and its seeds move by i * times, so that no two iterations share a text.
 */
export function iteration(spec, i) {
  return vary(spec, i, i);
}

/** Replaces every text spec inside a value by its text; {"many": [...], "times": n} inside a list is unrolled. */
export function expand(value) {
  if (Array.isArray(value)) {
    return value.flatMap((item) =>
      item && typeof item === 'object' && Array.isArray(item.many)
        ? Array.from({ length: item.times }, (_, i) => expand(iteration(item.many, i))).flat()
        : [expand(item)],
    );
  }
  if (value === null || typeof value !== 'object') return value;
  if (formOf(value)) return text(value);
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, expand(item)]));
}

/** The input of a case, or of one variant laid over it. Steps stay specs: expand each with expandStep. */
export function expandCase(testCase, variant) {
  const { variants, ...base } = testCase.input;
  const { steps, ...input } = variant === undefined ? base : { ...base, ...variants[variant] };
  return steps ? { ...expand(input), steps } : expand(input);
}

/** Body of run i (from 0) of a step; undefined for steps that send nothing. */
export function expandStep(step, i = 0) {
  return step.body === undefined ? undefined : expand(iteration(step.body, i));
}

// ---- command line ------------------------------------------------------------------------------------------------

const sha256 = (data) => createHash('sha256').update(data).digest('hex');

const CHECKS = [
  [{ repeat: 'a', times: 100000 }, '6d1cf22d7cc09b085dfc25ee1a1f3ae0265804c607bc2074ad253bcc82fd81ee'],
  [{ random_letters: 1000, seed: 1 }, '9d806ab9a00b02b8a17a161290f68a63ce9ebc977486f74344315e3ded4b8258'],
  [{ base64_of: { zero_bytes: 12000 } }, 'fc6da207a08589037a241eafb7dd03aed5bfcc36a331dfe12b1227685e2c2871'],
  [
    { base64_of: { random_bytes: 200000, seed: 7 } },
    '37249dc5e9bcae9f0f8a80c1318451672dd950f936e969e4825f0c6404102e99',
  ],
  [{ words: 500, seed: 3 }, '9615ab338bba807fd81f3b9a52cfdd344e3c36273d2657d7cc90c82f785cf652'],
  [
    { base64_of: { png: { width: 300, height: 200, pad_bytes: 50, seed: 2 } } },
    '8cb8b8fdccd673bd21a6cc4b2fdf375cb9a5811a8257286ff03ad328159532c8',
  ],
  [
    { base64_of: { pdf: { pages: 3, text_per_page: { words: 20, seed: 4 }, pad_bytes: 64 } } },
    '230d457b14314d9c42056d4dac231c1270a96292ee3ea5ec17850913a7584e7e',
  ],
  [
    { data_url: { mp3_frames: 4 }, mime: 'audio/mpeg' },
    '54e447ebea48ae4e4c548435f12b30e579f884b841b431c0b36584994944f3f8',
  ],
  [
    {
      json: [
        { many: [{ id: 'r{i}', s: { random_letters: 5, seed: 9 } }], times: 3 },
        { code_points: [127881] },
      ],
    },
    '151992930980d613b0da4ab5debf4c06cd52b175b0c99471fc96cd5ace426bcb',
  ],
];

function main([file, id, variant]) {
  if (!file) {
    const bad = CHECKS.filter(([spec, want]) => sha256(text(spec)) !== want);
    for (const [spec, want] of bad)
      console.error(`differs: ${JSON.stringify(spec)}\n  want ${want}\n  got  ${sha256(text(spec))}`);
    console.log(`${CHECKS.length - bad.length} of ${CHECKS.length} self-checks pass`);
    process.exitCode = bad.length ? 1 : 0;
    return;
  }
  const cases = readFileSync(file, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((row) => JSON.parse(row));
  for (const testCase of cases) {
    if (id && testCase.id !== id) continue;
    const names = variant
      ? [variant]
      : [undefined, ...(id ? [] : Object.keys(testCase.input.variants ?? {}))];
    for (const name of names) {
      const json = JSON.stringify(expandCase(testCase, name));
      console.log(id ? json : `${testCase.id} ${name ?? '-'} ${json.length} chars ${sha256(json)}`);
    }
  }
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) main(process.argv.slice(2));
