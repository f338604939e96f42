import { describe, expect, it } from 'vitest';
import { oracleOf } from '../testing/oracle.js';
import { countWith, patternReaderOf } from '../testing/readers.js';
import { importEncodingData } from '../tiktoken/encoding-data.js';
import { KernelReader } from './kernel-reader.js';
import { KernelThread } from './kernel-thread.js';
import { sharedKernel } from './shared-kernel.js';

/**
 * Letters of which the last decides where tokens end up to 224 bytes before it: each pair of neighbouring tokens has
 * a lower rank than the pair before. The longest such chains that the vocabularies have, in small letters and in
 * capitals, found by dynamic programming over the pairs by rank.
 */
const CHAINS = {
  r50k_base: [
    'itriznilkasaramarbgpollenyxaerbagneysonestonuttvmartziphhrataliahozensusergliasyareshibrisceraleverningsogellere',
    'EXPBWFILSGVTGENNLVOEFWMGIANGMROHDCDPMSSEOLLER',
  ],
  cl100k_base: [
    'ascaeecererdezmaniocardaeczlhxdbgwkpacoblstsildeadcloonneathsentrpkkelnhdamerdmcyrvtfolicedsendlangoxxylinoadoottdayernegearystrirorer',
    'QEZHQMALERPICIAMBIGOXAUTESCORNICONDNONSUMPDUFWRFBNERNCGRRCDSDFAPILORER',
  ],
  o200k_base: [
    'idrooggiadounejeuajajarihlihqaslacfabsoricalehrerupraktanianzewaybeamorbenhavenirerarayinquenisolgfidetamaharleadjdeelmassiscejdidlbidemtzzaamyzklebhumoisanjobreyerdecbstatrisczzuvestelearlskoiumpootoodynermewearystraintrorer',
    'JWUCECBCDQBACOYRADXBINUESTDYLENOIDOAITOEKKTYNLBGTMWWHDTTVOREDCSDSPIPEDESER',
  ],
} as const;

/** One period, another, the first again: a window that was met before stands behind another token. */
const PERIODS = {
  r50k_base: ['NHEPUD BUZL 12', 'NHDAYT BH 10', 'KRTOLP UDN 28', 'OLLER PZZOQF 23', 'WCFASN R 19'],
  cl100k_base: ['KOHENH IDUXDJ 12', 'WBBIXB TC 8', 'OFVTIF YCXPAD 29', 'SYPAD NUL 18', 'VTCETJ KB 18'],
  o200k_base: ['LTDCT SPGZWY 13', 'MWWEDY K 17', 'TDIORZ XLMG 8', 'YUJCVW SDOSC 3', 'NHLPNW LKISN 11'],
} as const;

/** What a step shows, less what it does not decide yet. */
const DECIDED_BYTES = 256 * 1024 - 16;

/** Characters, or texts, drawn from some, the same at every call. */
function drawn(characters: string | readonly string[], length: number): string {
  let state = characters.length;
  return Array.from({ length }, () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return characters[(state >>> 16) % characters.length];
  }).join('');
}

describe.each(['r50k_base', 'cl100k_base', 'o200k_base'] as const)('long pieces with %s', (encoding) => {
  const newReader = () => new KernelReader(new KernelThread(sharedKernel(encoding)));

  const mustAgree = async (texts: readonly string[], reader = newReader()) => {
    const patterns = await patternReaderOf(encoding);
    for (const text of texts)
      expect(countWith(reader, text), `${text.length} from ${text.slice(0, 20)}`).toBe(
        countWith(patterns, text),
      );
  };

  it('are read again as far back as their end can reach, wherever a window ends', async () => {
    for (const chain of CHAINS[encoding]) {
      const [letter = ''] = chain;
      const shifts = Array.from({ length: 80 }, (_, shift) => letter.repeat(5 * shift));
      await mustAgree(shifts.map((shift) => shift + chain + letter.repeat(70)));
      await mustAgree(shifts.slice(0, 20).map((shift) => shift + chain.repeat(40)));
    }
  });

  it('keep what their end can reach from step to step', async () => {
    for (const chain of CHAINS[encoding])
      await mustAgree(
        [0, 1, 2, 3, 4].map((shift) => 'x'.repeat(7 * shift) + chain.repeat(400_000 / chain.length)),
      );
  });

  it('are not taken for windows that stood behind another token', async () => {
    const reader = newReader();
    // Too many different letters for the automaton: its credit is spent, and windows are merged.
    countWith(reader, drawn('ABCDEFGHIJKLMNO', 60_000));
    const texts = PERIODS[encoding].map((periods) => {
      const [first = '', second = '', times] = periods.split(' ');
      return first.repeat(300) + second.repeat(Number(times)) + first.repeat(100);
    });
    await mustAgree(texts, reader);
  });

  it('of few different characters are counted from what is known of them', async () => {
    const reader = newReader();
    for (const characters of [
      'ab',
      ' \n',
      ' \r\n\t',
      'aA',
      'abcdef',
      '=-',
      '\u0300\u0301\u0308',
      'a\u0301b',
      '日a',
    ])
      await mustAgree(
        [300, 3000, 60_000].map((length) => drawn(characters, length)),
        reader,
      );
    // More bytes than the automaton has classes for, then the first again.
    await mustAgree(
      [drawn('ABCDEFGHIJKLMNOPQRSTUVWXYZ', 20_000), drawn('ab', 5000), drawn(' \n', 5000)],
      reader,
    );
  });

  it('of small letters and of symbols are read off tables, at random and from tokens of every length', async () => {
    const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
    const SYMBOLS = '!"#$%&()*+,-./:;<=>?@[]^_`{|}~';
    const { bpe_ranks } = await importEncodingData(encoding);
    const tokens = bpe_ranks
      .split(/\s/)
      .map((base64) => Buffer.from(base64, 'base64').toString('latin1'))
      .filter((token) => token.length > 1 && token.length < 9);
    for (const characters of [LETTERS, SYMBOLS]) {
      const own = tokens.filter((token) => [...token].every((character) => characters.includes(character)));
      const texts = [1, 2, 3, 4].map((seed) => drawn(characters, 10_000 + seed));
      for (const longest of [3, 4, 5, 8]) {
        const some = own.filter((token) => token.length <= longest);
        texts.push(drawn(some, 3_000));
      }
      await mustAgree(texts);
      const oracle = oracleOf(encoding);
      const reader = newReader();
      for (const text of texts)
        for (let at = 0; at < 10_000; at += 100) {
          const row = text.slice(at, at + 100);
          expect(countWith(reader, row.repeat(4)), row).toBe(oracle.count(row.repeat(4)));
        }
    }
  });

  it('of blanks end before the last of them, wherever a step ends', async () => {
    const places = [-1, 0, 1];
    await mustAgree(
      [1, 2].flatMap((steps) =>
        places.map((place) => ' '.repeat(steps * DECIDED_BYTES + place) + 'x'.repeat(500)),
      ),
    );
  });
});
