// Writes the sample: a real multi-page PDF of about 2 MB with compressed text and pictures, and a conversation that
// carries it. Always the same content, drawn from a seed; run by `npm run build` when the files are missing.
//   node examples/make-sample.mjs            writes examples/generated/report.pdf and conversation.json
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { deflateSync } from 'node:zlib';

const PAGES = 16;
const PICTURE = { width: 260, height: 170 };

/** mulberry32: numbers in [0, 1), the same on every machine. */
function randomNumbers(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

const WORDS =
  'the a of in on with from between during after harbour crane tide vessel berth cargo container schedule pilot weather report delay inspection repair storm lighthouse manifest customs depot rail tonnage forecast budget quarter revenue insurance contract safety incident training night morning measured estimated recorded delivered postponed inspected loaded moved raised lowered'.split(
    ' ',
  );

/** Sentences of plain words: enough to look like a report, and to be compressed like one. */
function prose(random, wordCount) {
  const sentences = [];
  for (let written = 0; written < wordCount; ) {
    const length = 6 + Math.floor(random() * 12);
    const words = Array.from({ length }, () => WORDS[Math.floor(random() * WORDS.length)]);
    if (random() < 0.3) words.push(String(Math.floor(random() * 10000)));
    const sentence = words.join(' ');
    sentences.push(`${sentence[0].toUpperCase()}${sentence.slice(1)}.`);
    written += length;
  }
  return sentences.join(' ');
}

/** A photo-like picture: slow waves of colour with the grain of a sensor. Eight bits each of red, green and blue. */
function picture(random, { width, height }) {
  const pixels = Buffer.alloc(width * height * 3);
  const waves = Array.from({ length: 9 }, () => random() * 0.08);
  for (let y = 0, at = 0; y < height; y++)
    for (let x = 0; x < width; x++)
      for (let channel = 0; channel < 3; channel++) {
        const wave = Math.sin(x * waves[channel] + y * waves[channel + 3]) + Math.cos(y * waves[channel + 6]);
        pixels[at++] = Math.max(0, Math.min(255, 128 + 50 * wave + (random() - 0.5) * 60));
      }
  return pixels;
}

function textStream(title, text) {
  const lines = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line.length + word.length > 92) {
      lines.push(line);
      line = '';
    }
    line += line ? ` ${word}` : word;
  }
  lines.push(line);
  const shown = lines.slice(0, 34).map((one) => `(${one}) Tj T*`);
  return `BT /F1 18 Tf 56 780 Td (${title}) Tj ET\nBT /F1 10 Tf 13 TL 56 750 Td ${shown.join('\n')} ET\nq 480 0 0 260 56 40 cm /Im1 Do Q\n`;
}

/** A PDF 1.4 file: catalog, pages, one font; for each page its text and one picture, both Flate-compressed. */
export function makePdf(seed = 1) {
  const random = randomNumbers(seed);
  const objects = [];
  const stream = (dictionary, data) => {
    const compressed = deflateSync(data, { level: 9 });
    return Buffer.concat([
      Buffer.from(`<<${dictionary}/Filter/FlateDecode/Length ${compressed.length}>>\nstream\n`),
      compressed,
      Buffer.from('\nendstream'),
    ]);
  };
  const firstPage = 4;
  const pageNumbers = Array.from({ length: PAGES }, (_, i) => firstPage + 3 * i);
  objects.push('<</Type/Catalog/Pages 2 0 R>>');
  objects.push(`<</Type/Pages/Kids[${pageNumbers.map((n) => `${n} 0 R`).join(' ')}]/Count ${PAGES}>>`);
  objects.push('<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>');
  for (const [i, number] of pageNumbers.entries()) {
    const resources = `/Resources<</Font<</F1 3 0 R>>/XObject<</Im1 ${number + 2} 0 R>>>>`;
    objects.push(`<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]${resources}/Contents ${number + 1} 0 R>>`);
    objects.push(stream('', textStream(`Harbour report, page ${i + 1}`, prose(random, 700))));
    const image = `/Type/XObject/Subtype/Image/Width ${PICTURE.width}/Height ${PICTURE.height}/ColorSpace/DeviceRGB/BitsPerComponent 8`;
    objects.push(stream(image, picture(random, PICTURE)));
  }

  const parts = [Buffer.from('%PDF-1.4\n%\xe2\xe3\xcf\xd3\n', 'latin1')];
  let offset = parts[0].length;
  let table = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n`;
  for (const [i, body] of objects.entries()) {
    table += `${String(offset).padStart(10, '0')} 00000 n \n`;
    const object = Buffer.concat([
      Buffer.from(`${i + 1} 0 obj\n`),
      Buffer.from(body),
      Buffer.from('\nendobj\n'),
    ]);
    parts.push(object);
    offset += object.length;
  }
  parts.push(
    Buffer.from(`${table}trailer\n<</Size ${objects.length + 1}/Root 1 0 R>>\nstartxref\n${offset}\n%%EOF\n`),
  );
  return Buffer.concat(parts);
}

/** A body of POST /v1/preflight: a long talk about the report. It is too long by some ten thousand tokens. */
export function makeConversation(pdf, seed = 2) {
  const random = randomNumbers(seed);
  const file = {
    filename: 'harbour-report.pdf',
    file_data: `data:application/pdf;base64,${pdf.toString('base64')}`,
  };
  const call = (id, day) => ({
    id,
    type: 'function',
    function: { name: 'port_log', arguments: JSON.stringify({ day }) },
  });
  const log = (day) =>
    JSON.stringify(
      Array.from({ length: 400 }, (_, i) => ({
        day,
        berth: i % 12,
        vessel: prose(random, 2),
        tons: Math.floor(random() * 90000),
      })),
    );
  const payloadTokens = Math.round(0.68 * file.file_data.length);
  return {
    model: 'long-context-demo',
    encoding: 'o200k_base',
    context_window: payloadTokens + 36_000,
    max_output_tokens: 8192,
    min_output_tokens: 2048,
    messages: [
      {
        role: 'system',
        content: 'You are the harbour office assistant. Answer from the report and the port log only.',
      },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Here is the annual report. Summarize it.' },
          { type: 'file', file },
        ],
      },
      { role: 'assistant', content: prose(random, 9000) },
      { role: 'user', content: `Compare with my notes:\n${prose(random, 5000)}` },
      { role: 'assistant', content: null, tool_calls: [call('call_1', 'monday'), call('call_2', 'tuesday')] },
      { role: 'tool', tool_call_id: 'call_1', content: log('monday') },
      { role: 'tool', tool_call_id: 'call_2', content: log('tuesday') },
      { role: 'assistant', content: prose(random, 3000) },
      { role: 'user', content: 'Which berth had the most delays, and why?' },
    ],
  };
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const folder = new URL('./generated/', import.meta.url);
  const pdfFile = new URL('report.pdf', folder);
  const conversationFile = new URL('conversation.json', folder);
  if (!existsSync(pdfFile) || !existsSync(conversationFile) || process.argv.includes('--force')) {
    mkdirSync(folder, { recursive: true });
    const pdf = makePdf();
    writeFileSync(pdfFile, pdf);
    writeFileSync(conversationFile, JSON.stringify(makeConversation(pdf)));
  }
}
