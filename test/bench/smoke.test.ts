import { describe, expect, it } from 'vitest';

interface Corpus {
  readonly name: string;
  readonly supplyBytes: number;
  open(seed: number): { next(bytes: number): string[] };
}

/** The benchmark is JavaScript without declarations: it is loaded by a name that the compiler does not follow. */
const load = (file: string) => import(new URL(file, import.meta.url).href);
const { HOSTILE_INPUTS, hostileText } = await load('./corpora/hostile.mjs');
const { growthExponent, percentile, summary } = await load('./statistics.mjs');
const { ContenderProcess } = await load('./contender-process.mjs');
const throughput = await load('./sections/throughput.mjs');
const { writeTable } = await load('./tables.mjs');
const { fillTemplate } = await load('./results.mjs');
const { attachmentCorpora } = await load('./corpora/attachments.mjs');
const { CORPORA } = await load('./corpora/index.mjs');
const { isInstalled } = await load('./installed.mjs');

/** Texts from files need the packages that only `npm run bench` installs. */
const hasPackages = isInstalled();
const WITHOUT_PACKAGES = ['base64', 'pdf', 'png', 'jpeg', 'bitmap'];
const corpora: Corpus[] = hasPackages
  ? CORPORA
  : attachmentCorpora.filter(({ name }: Corpus) => WITHOUT_PACKAGES.includes(name));

describe.each(corpora)('the corpus $name', ({ name, open }) => {
  it('is the same for a seed and fresh in every text', () => {
    const [first, again, other] = [open(1), open(1), open(2)];
    const texts = [first.next(3000), first.next(3000), other.next(3000)].map((text) => text.join());
    expect([again.next(3000).join(), again.next(3000).join()]).toEqual(texts.slice(0, 2));
    expect(new Set(texts).size).toBe(3);
    const bytes = Buffer.byteLength(texts[0] as string);
    expect(bytes, name).toBeGreaterThan(1500);
    expect(bytes, name).toBeLessThan(7000);
  });
});

it.each(HOSTILE_INPUTS as { name: string }[])(
  'the hostile input $name is deterministic and as long as asked',
  (input) => {
    const text = hostileText(input, 5000, 1);
    expect(hostileText(input, 5000, 1)).toBe(text);
    expect(Buffer.byteLength(text)).toBeGreaterThan(4990);
    expect(Buffer.byteLength(text)).toBeLessThan(10_000);
  },
);

it('statistics are those of a small list', () => {
  expect(summary([5, 1, 9])).toEqual({ median: 5, min: 1, max: 9, runs: 3 });
  expect(percentile([1, 2, 3, 4], 99)).toBe(4);
  expect(growthExponent({ bytes: 10, ms: 1 }, { bytes: 100, ms: 100 })).toBeCloseTo(2);
});

it('a table is Markdown', () => {
  expect(writeTable({ caption: 'c', columns: ['name', 'ms'], rows: [['a', 12]] })).toBe(
    'c:\n\n| name | ms  |\n| ---- | --: |\n| a    |  12 |',
  );
});

it('the page has no section that was never measured', () => {
  const template = '# Page\n\n## Health\n\n{{health}}\n\n## Ideas\n\nSome.\n';
  expect(fillTemplate(template, [])).toBe('# Page\n\n## Ideas\n\nSome.\n');
});

it('a contender in its own process counts and stops when it takes too long', async () => {
  const contender = await ContenderProcess.start('preflight', 'cl100k_base');
  expect(await contender.count(['hello world', ' again'])).toMatchObject({ tokens: 3, bytes: 17 });
  expect(await contender.count(['hello world'.repeat(500_000)], { timeoutMs: 0 })).toBeUndefined();
  expect(await contender.count(['hello'])).toBeUndefined();
});

it('the throughput section measures our counter', async () => {
  const records = await throughput.run({
    seed: 1,
    encodings: ['cl100k_base'],
    contenders: ['preflight', 'tiktoken'],
    corpora: ['base64'],
    headlineBytes: 20_000,
    passes: 2,
    log: () => undefined,
  });
  expect(records).toHaveLength(1);
  expect(throughput.faults(records)).toEqual([]);
  expect(records[0].results[0]).toMatchObject({ contender: 'preflight', mismatches: 0, ratio: { runs: 2 } });
  expect(throughput.tables(records)[0].rows).toHaveLength(1);
});
