import { createHash } from 'node:crypto';
import { attachmentMessage } from '../corpora/attachments.mjs';
import { Random } from '../random.mjs';
import { closeConnections, timedRequest, withServer } from '../server.mjs';
import { summary } from '../statistics.mjs';

export const title = 'HTTP end to end';

const WARM_UPS = 12;

/**
 * A fresh attachment in every request, timed by the client over a kept connection on loopback; then the same body
 * again. Beside each pair, in this process: one thread's count of that attachment, and toString, JSON.parse and SHA-256
 * of that body.
 */
export async function run({ seed, encodings, headlineBytes, requests, log }) {
  const { loadCounter } = await import('@preflight/tokenizer');
  return withServer(async (url) => {
    const records = [];
    for (const encoding of encodings) {
      const random = new Random(`http ${encoding} ${seed}`);
      const counter = await loadCounter(encoding);
      const passes = [];
      for (let i = 0; i < requests + WARM_UPS; i++) {
        const message = attachmentMessage(
          random.bytes(Math.floor((headlineBytes * 3) / 4)),
          'application/pdf',
        );
        const pass = await onePass(url, counter, message);
        if (i >= WARM_UPS) passes.push(pass);
      }
      const part = (name) => summary(passes.map((pass) => pass[name]));
      records.push({
        encoding,
        ...Object.fromEntries(Object.keys(passes[0]).map((name) => [name, part(name)])),
      });
      log(encoding);
    }
    closeConnections();
    return records;
  });
}

async function onePass(url, counter, message) {
  const body = Buffer.from(
    JSON.stringify({ model: 'gpt-4o', encoding: counter.encoding, messages: [message] }),
  );
  const cold = await timedRequest(`${url}/v1/count`, body);
  const warm = await timedRequest(`${url}/v1/count`, body);
  const countable = Buffer.from(canonicalPart(message.content[1]));
  const counted = timed(() => counter.count(countable));
  const parsed = timed(() => JSON.parse(body.toString()));
  const hashed = timed(() => createHash('sha256').update(body).digest());
  for (const { status, text } of [cold, warm]) {
    const found = status === 200 && JSON.parse(text).messages[0].attachment_tokens;
    if (found !== counted.result)
      throw new Error(`${found} tokens instead of ${counted.result}: ${text.slice(0, 300)}`);
  }
  return {
    coldMs: cold.ms,
    warmMs: warm.ms,
    countMs: counted.ms,
    parseMs: parsed.ms,
    hashMs: hashed.ms,
    coldRatio: cold.ms / (counted.ms + parsed.ms + hashed.ms),
    warmRatio: warm.ms / (parsed.ms + hashed.ms),
  };
}

/** A file part as it is counted: keys in order, no spaces. */
function canonicalPart({ file: { file_data, filename } }) {
  return JSON.stringify({ file: { file_data, filename }, type: 'file' });
}

function timed(work) {
  const startMs = performance.now();
  const result = work();
  return { result, ms: performance.now() - startMs };
}

export function tables(records) {
  const figure = ({ median, min, max }, digits = 1) =>
    `${median.toFixed(digits)} (${min.toFixed(digits)}–${max.toFixed(digits)})`;
  return [
    {
      caption:
        'milliseconds, medians and spread; parts: one-thread count + toString and JSON.parse + SHA-256',
      columns: [
        'encoding',
        'requests',
        'cold',
        'parts',
        'cold / sum of parts',
        'warm',
        'warm / (parse + SHA-256)',
      ],
      rows: records.map(({ encoding, coldMs, warmMs, countMs, parseMs, hashMs, coldRatio, warmRatio }) => [
        encoding,
        coldMs.runs,
        figure(coldMs),
        [countMs, parseMs, hashMs].map(({ median }) => median.toFixed(1)).join(' + '),
        figure(coldRatio, 2),
        figure(warmMs),
        figure(warmRatio, 2),
      ]),
    },
  ];
}
