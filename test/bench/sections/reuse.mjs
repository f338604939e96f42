import { corpus } from '../corpora/index.mjs';
import { median } from '../statistics.mjs';

export const title = 'What is known from before';

const GROWTH_BYTES = 10_000;

/**
 * What head, interior and tail of an attachment, segments of a long text and checkpoints for a cut save, and what
 * segments cost a text that shares nothing: one coordinator with two threads and a cache in memory.
 */
export async function run({ seed, encodings, headlineBytes, repeats, log }) {
  const records = [];
  for (const encoding of encodings) {
    const bench = await Bench.start(encoding);
    const base64 = corpus('base64').open(`${seed} reuse`);
    const json = corpus('json').open(`${seed} reuse`);
    const rows = {};
    const note = (name, ms) => {
      rows[name] ??= [];
      rows[name].push(ms);
    };
    for (let i = 0; i < repeats + 2; i++) {
      const payload = /base64,([^"]*)/.exec(base64.next(headlineBytes)[0])[1];
      const text = json.next(headlineBytes).join('');
      const more = json.next(GROWTH_BYTES).join('');
      const middle = text.length >> 1;
      const times = {
        file: await bench.count(fileUri(payload, 'application/pdf', 'a.pdf')),
        renamed: await bench.count(fileUri(payload, 'image/png', 'b.png')),
        fresh: await bench.count(bench.text(text)),
        grown: await bench.count(bench.text(text + more)),
        changed: await bench.count(bench.text(`${text.slice(0, middle)}${more}${text.slice(middle)}`)),
        withoutSegments: await bench.countPlainly(json.next(headlineBytes).join('')),
        cutKnown: await bench.cut(text, true),
        cutUnknown: await bench.cut(text, false),
      };
      if (i > 1) for (const [name, ms] of Object.entries(times)) note(name, ms);
    }
    await bench.close();
    const medians = Object.fromEntries(Object.entries(rows).map(([name, values]) => [name, median(values)]));
    records.push({ encoding, bytes: headlineBytes, ...medians });
    log(encoding);
  }
  return records;
}

/** A file part as JSON would have it: the payload stands in a buffer, the rest is small. */
function fileUri(payload, mimeType, filename) {
  return (range) => [
    '{"file":{"file_data":"',
    { text: range(`data:${mimeType};base64,${payload}`), as: 'json' },
    `","filename":"${filename}"},"type":"file"}`,
  ];
}

class Bench {
  static async start(encoding) {
    const [{ createPool }, coordinator, { MemoryCountCache }, { TextRange }] = await Promise.all([
      import('@preflight/pool'),
      import('@preflight/coordinator'),
      import('@preflight/storage'),
      import('@preflight/core'),
    ]);
    const { distinctTexts, identify, KnownCounts, SegmentCounts } = coordinator;
    const pool = createPool({ threads: 2 });
    const cache = new MemoryCountCache({ maxBytes: 64 * 1024 * 1024 });
    const segments = new SegmentCounts({ pool, cache });
    const counts = new KnownCounts({ pool, cache, segments });
    const range = (text) => {
      const shared = new SharedArrayBuffer(Buffer.byteLength(text));
      Buffer.from(shared).write(text);
      return new TextRange(shared, 0, shared.byteLength);
    };
    const countOne = async (countable) => {
      const { texts } = await distinctTexts(await identify(pool, encoding, [countable], {}));
      await counts.count(encoding, texts, {});
    };
    return Object.assign(new Bench(), { encoding, pool, countOne, segments, range });
  }

  text(text) {
    return (range) => [range(text)];
  }

  async count(make) {
    const countable = make(this.range);
    const startMs = performance.now();
    await this.countOne(countable);
    return performance.now() - startMs;
  }

  async countPlainly(text) {
    const range = this.range(text);
    const startMs = performance.now();
    await this.pool.digestAll([[range]]);
    await this.pool.countAll(this.encoding, [[range]]);
    return performance.now() - startMs;
  }

  /** Cuts one long message to about half, its segments being known, or without looking at them. */
  async cut(text, useCheckpoints) {
    const { loneColumns } = await import('@preflight/core');
    const range = this.range(text);
    const [tokens] = await this.pool.countAll(this.encoding, [[range]]);
    const ledger = {
      contentTokens: Int32Array.of(1, tokens, 1),
      attachmentTokens: new Int32Array(3),
      otherTokens: new Int32Array(3),
      ...loneColumns(3),
      isUser: Uint8Array.of(0, 0, 1),
      protectedCount: 1,
      requestOverheadTokens: 0,
    };
    const options = {
      strategies: ['truncate'],
      contextWindowTokens: Math.round(tokens / 2) + 364,
      maxOutputTokens: tokens,
      minOutputTokens: 64,
      bufferTokens: 300,
      markerTokens: 6,
    };
    const startMs = performance.now();
    const [known] = useCheckpoints ? await this.segments.checkpoints(this.encoding, [range], {}) : [];
    await this.pool.cutToFit(
      this.encoding,
      ledger,
      options,
      (i) => (i === 1 ? [range] : []),
      () => known,
    );
    return performance.now() - startMs;
  }

  close() {
    return this.pool.close();
  }
}

export function tables(records) {
  return [
    {
      caption: 'milliseconds with two threads, medians; digests and look-ups included',
      columns: [
        'encoding',
        'MB',
        'new file',
        'same under another name and type',
        'new text',
        'without segments',
        'grown by 10 KB',
        'changed in the middle',
        'cut to half',
        'cut without checkpoints',
      ],
      rows: records.map((record) => [
        record.encoding,
        record.bytes / 1e6,
        ...[
          record.file,
          record.renamed,
          record.fresh,
          record.withoutSegments,
          record.grown,
          record.changed,
          record.cutKnown,
          record.cutUnknown,
        ].map((ms) => ms.toFixed(1)),
      ]),
    },
  ];
}
