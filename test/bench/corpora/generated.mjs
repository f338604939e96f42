import { Random } from '../random.mjs';
import { vocabulary, word, words } from './words.mjs';

/** Texts made of parts that are drawn until there are enough bytes. */
function drawn(name, title, drawPart) {
  return {
    name,
    title,
    supplyBytes: Number.POSITIVE_INFINITY,
    open(seed) {
      const random = new Random(`${name} ${seed}`);
      const list = vocabulary();
      const next = (bytes) => {
        const parts = [];
        for (let length = 0; length < bytes; length += Buffer.byteLength(parts.at(-1)))
          parts.push(drawPart(random, list));
        return [parts.join('')];
      };
      return { next };
    },
  };
}

const hex = (random, digits) => random.bytes(digits).toString('hex').slice(0, digits);
const instant = (random) => new Date(1.6e12 + random.below(2e11)).toISOString();

/** Records as tools return them: people, log lines, search hits, goods. */
const RECORDS = [
  (random, list) => ({
    id: random.below(1e6),
    name: `${word(random, list)} ${word(random, list)}`,
    email: `${word(random, list)}.${word(random, list)}@${word(random, list)}.com`,
    active: random.next() < 0.5,
    score: Number((random.next() * 100).toFixed(3)),
    tags: [word(random, list), word(random, list)],
    created_at: instant(random),
    address: {
      street: `${random.below(900)} ${word(random, list)} St`,
      lat: Number((random.next() * 180 - 90).toFixed(6)),
    },
  }),
  (random, list) => ({
    uuid: [8, 4, 4, 4, 12].map((digits) => hex(random, digits)).join('-'),
    status: random.pick(['ok', 'failed', 'pending']),
    duration_ms: random.below(1e5),
    message: words(random, list, 4 + random.below(12)),
    stack: null,
    path: `/${word(random, list)}/${word(random, list)}/${word(random, list)}.ts`,
    line: random.below(2000),
  }),
  (random, list) => ({
    title: words(random, list, 5),
    url: `https://${word(random, list)}.example.org/${word(random, list)}?q=${word(random, list)}&page=${random.below(90)}`,
    snippet: words(random, list, 25),
    rank: random.below(100),
    published: instant(random).slice(0, 10),
  }),
  (random, list) => ({
    sku: `${hex(random, 4).toUpperCase()}-${random.below(1e5)}`,
    price: { amount: (random.next() * 900).toFixed(2), currency: 'USD' },
    stock: random.below(500),
    labels: { [word(random, list)]: word(random, list), [word(random, list)]: random.below(9) },
  }),
];

function toolOutput(random, list) {
  const record = random.pick(RECORDS);
  const result = Array.from({ length: 1 + random.below(6) }, () => record(random, list));
  return `${JSON.stringify({ result, total: result.length }, null, random.pick([0, 0, 2]))}\n`;
}

const SKIN = ['', '', '', '\u{1f3fb}', '\u{1f3fd}', '\u{1f3ff}'];
const HANDS = [...'👋🤚✋👌🤞👈👍👎✊👏🙌🙏💪'];
const FAMILIES = ['👨‍👩‍👧‍👦', '👩‍💻', '🧑🏽‍🚀', '🏳️‍🌈', '❤️‍🔥', '👁️‍🗨️', '1️⃣', '☺️', '✈️'];

function emoji(random) {
  const kind = random.below(8);
  if (kind < 5)
    return String.fromCodePoint(
      random.pick([0x1f300, 0x1f400, 0x1f500, 0x1f600, 0x1f680, 0x1f900]) + random.below(80),
    );
  if (kind === 5) return random.pick(HANDS) + random.pick(SKIN);
  if (kind === 6) return random.pick(FAMILIES);
  return String.fromCodePoint(0x1f1e6 + random.below(26), 0x1f1e6 + random.below(26));
}

export function chatLine(random, list) {
  const faces = Array.from({ length: 1 + random.below(5) }, () => emoji(random)).join('');
  return `${words(random, list, 1 + random.below(6))} ${faces}${random.pick([' ', '\n', '! '])}`;
}

/** Ten thousand (at the headline size) separate texts of some 260 bytes: prose, chat and small tool results. */
const smallMessages = {
  name: 'small',
  title: '10,000 small messages',
  supplyBytes: Number.POSITIVE_INFINITY,
  open(seed) {
    const random = new Random(`small ${seed}`);
    const list = vocabulary();
    const message = () => {
      const kind = random.below(4);
      if (kind === 0) return toolOutput(random, list).slice(0, 400);
      if (kind === 1) return chatLine(random, list) + chatLine(random, list);
      return `${words(random, list, 10 + random.below(70))}.`;
    };
    return { next: (bytes) => Array.from({ length: Math.max(1, Math.round(bytes / 260)) }, message) };
  },
};

export const generatedCorpora = [
  drawn('json', 'JSON tool output', toolOutput),
  drawn('emoji', 'chat with emoji', chatLine),
  smallMessages,
];
