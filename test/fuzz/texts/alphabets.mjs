/** Characters that the patterns or the kernel treat specially, by what they are. */

export const LOWER = [...'abcdefghijklmnopqrstuvwxyz'];
export const UPPER = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
export const BASE64 = [...UPPER, ...LOWER, ...'0123456789+/'];
export const BASE64_URL = [...UPPER, ...LOWER, ...'0123456789-_'];
export const HEX = [...'0123456789abcdef'];

/** Blanks, newlines, and what is taken for one of them in JavaScript or in Unicode but is none to the other. */
export const WHITESPACE = [
  ...[' ', '  ', '   ', '    ', '\t', '\t\t', '\v', '\f', '\n', '\r', '\r\n', '\n\n', '\n\r', ' \n', '\n '],
  ...['\u0085', '\u00a0', '\u1680', '\u2000', '\u2003', '\u200a', '\u2028', '\u2029', '\u202f', '\u205f'],
  ...['\u3000', '\ufeff', '\u200b', '\u180e', '\u001c', '\u001f', '\u2060'],
];

export const DIGITS = [
  ...'01\u00bd\u00b2\u00b9\u0663\u2167\u2460\u0967\uff10\u{1d7d8}\u0e51\u3007\u3021',
  ...'\u2189\u{10140}\u{1f101}\u09f4\ua6e6\u0f33',
  ...'12 123 1234 12345 123456 1234567 007 1,000 3.14 \u0663\u0664\u0665'.split(' '),
  ...'\uff11\uff12\uff13 \u{1d7d9}1 0\u00bd \u00bd0 12\u00bd 1\u00b23'.split(' '),
];

export const CONTRACTIONS = [
  ..."' 's 't 're 've 'm 'll 'd 'S 'T 'RE 'Re 'rE 'VE 'vE 'M 'LL 'lL 'Ll 'D '\u017f".split(' '),
  ..."'\u017ft 'l 'r 'v 'L 'e 'x '' ''' ''s 's's 'll'll 's't're \u2019s '\u0301s 'sx".split(' '),
  ..."'Sx 'lls 'r\u00e9 '\u00e9 '\u212a '\u0130 '\u0131 's\u0301 're\u0308 '1 '\n".split(' '),
  ..."'_s `s \u02bcs \uff07s".split(' '),
  "' s",
];

export const SYMBOLS = [
  ...'(){}[];:,.!?-_=+*/\\|@"\'`<>#$%^~&\u2026\u20ac\u00a9\u00a7\u00b0\u00ab\u00bb',
  ...'\u00b7\u00d7\u00f7\u3001\u3002\u300c\u300d\uff0c\uff01\u2192\u2500\u2588\u221e',
  ...'\u2211\u00ad\u061c\u200e\u{1d2a9}\ufffd\ufffc',
  ...'// /* */ -> => == != && || </ /> ... --- {" ": ", "}'.split(' '),
];

/** The block of typographic marks that the kernel may read in its masks. */
export const GENERAL_PUNCTUATION = Array.from({ length: 0x18 }, (_, i) => String.fromCodePoint(0x2010 + i));

/** What may stand behind symbols and belong to them. */
export const SYMBOL_TAILS = [...'\n\r/', ...'\r\n \n\n // \n/ /\n \n\n/ \r/\n /\r\n/ \\n'.split(' '), ' /'];

/** Non-spacing, spacing and enclosing. */
export const MARKS = [
  ...'\u0301\u0308\u0327\u0345\u20dd\u20e3\u093f\u0903\u0947\u094d\u0e31\u0e33\u3099',
  ...'\ufe0f\ufe0e\u0610\u064b\u05b8\u0483\u0488\u1ab0\u{e0100}\u{1d165}\u{11000}',
  ...'\u{1e8d0}\u0bbe\u102b\ua66f\u034f',
  '\u0300\u0301',
];

/** Letters whose case is odd or that have none, and ranges that a mask may treat wrongly at their ends. */
export const LETTERS = [
  ...'\u01c4\u01c5\u01c6\u01c8\u01cb\u01f2\u1f88\u1fbc\u00aa\u00ba\u00b5\u00c0\u00d6',
  ...'\u00d8\u00de\u00df\u00e0\u00f6\u00f8\u00fe\u00ff\u0100\u0101\u0138\u0149\u017f',
  ...'\u0178\u0130\u0131\u1e9e\u0180\u01bb\u01c0\u02b0\u02c1\u02ec\u0370\u0374\u037a',
  ...'\u0386\u0391\u03a9\u03b1\u03c2\u03c9\u03d2\u0400\u040f\u0410\u042f\u0430\u044f',
  ...'\u0450\u0451\u0481\u0401\u048a\u04c0\u04cf\u0531\u0561\u0587\u10a0\u10d0\u10fc',
  ...'\u1c90\u2d00\u13a0\u13f8\uab70\u1c80\u1c89\u1d00\u1d2c\u2071\u2102\u210a\u212a',
  ...'\u2126\u2160\u24d0\u2c00\u2c7c\ua640\ua722\ua7f7\ua7af\ufb00\uff21\uff41\uff70',
  ...'\u{10400}\u{10428}\u{104b0}\u{118a0}\u{16e40}\u{1d400}\u{1d41a}\u{1e900}',
  ...'\u{1e922}\u{1f130}\u05d0\u0627\u0915\u0e01\u3005\u3006\u3042\u30ab\u30fc\u4e2d',
  ...'\u9fff\uac00\ud7a3\u{20000}\u{2a6d6}\u{1b000}',
];

/** First and last of ranges that mix classes: any of their characters may be an exception. */
export const RANGES = (
  '80-ff 100-24f 250-36f 370-3ff 400-52f 530-5ff 600-6ff 900-97f e00-e7f 10a0-10ff 13a0-13ff ' +
  '1c80-1cbf 1d00-1fff 2000-206f 2070-218f 2190-27bf 2c00-2dff 3000-30ff a640-a7ff ab30-abff ' +
  'fb00-fdff fe00-ffef 10400-104ff 1d400-1d7ff 1f100-1f6ff'
)
  .split(' ')
  .map((range) => range.split('-').map((point) => Number.parseInt(point, 16)));

/** One list a script, of letters, marks and punctuation that follow each other in its texts. */
export const SCRIPTS = [
  '\u0430\u0431\u0432\u0433\u0434\u0435\u0436\u0437\u0438\u043a\u043b\u043c\u043d\u043e\u043f\u0440\u0441\u0442\u0410\u0411\u0412\u0451',
  '\u65e5\u672c\u8a9e\u4e2d\u6587\u7684\u4e00\u662f\u4e0d\u4e86\u4eba\u6211\u5728\u6709\u4ed6\u8fd9\u4e3a\u4e4b\u5927\u3002\uff0c',
  '\u3042\u3044\u3046\u3048\u304a\u304b\u304d\u306e\u306b\u306f\u3092\u304c\u30ab\u30bf\u30fc\u30f3\u65e5\u672c\u3001\u3099',
  '\ud55c\uad6d\uc5b4\uc758\uc744\ub294\uc774\uac00\ub2e4 \u1112\u1161\u11ab',
  '\u0627\u0644\u0645\u0646\u0648\u064a\u0631\u064e\u0651\u0640\u060c\u0663 ',
  '\u05e9\u05dc\u05d5\u05dd\u05b8\u05c1\u05f3\u05be ',
  '\u0915\u093e\u093f\u094d\u0930\u0928\u0938\u0902\u0964\u0967 ',
  '\u0e01\u0e32\u0e35\u0e49\u0e19\u0e23\u0e33\u0e40\u0e51',
  '\u00e0\u00e9\u00e8\u00ea\u00e7\u00f4aeistn\u00c9\u00c0 \u2019',
  '\u03ac\u03bb\u03c6\u03c9\u03a3\u03c2\u03b7\u0391\u0395 ',
  '\u00e4\u00f6\u00fc\u00df\u00c4\u00d6ENrnt ',
  '\u10d0\u10d1\u1c90\u1c91\u10a0\u2d00 ',
  '\u13a0\u13a1\uab70\uab71\u13f8 ',
  '\u0561\u0562\u0531\u0532\u0587 ',
  '\u1780\u17d2\u1789\u17bb\u0f40\u0f71\u0b95\u0bcd\u1000\u103b',
  '\u{10400}\u{10428}\u{1e900}\u{1e922}\u{1d400}\u{1d41a}',
  'A\u0301a\u0301E\u0308e\u0308\u01c5\u02b0',
].map((characters) => [...characters]);

export const EMOJI = [
  ...'\u{1f600}\u{1f1fa}\u2705\u263a\u{1fae0}\u200d',
  ...'\u{1f44d}\u{1f3fd} \u{1f468}\u200d\u{1f469}\u200d\u{1f467}\u200d\u{1f466}'.split(' '),
  ...'\u2764\ufe0f \u{1f3f3}\ufe0f\u200d\u{1f308} \u{1f1e9}\u{1f1ea} 1\ufe0f\u20e3'.split(' '),
  ...'#\ufe0f\u20e3 \u{1f9d1}\u{1f3ff}\u200d\u{1f4bb} \u26a0\ufe0f'.split(' '),
  '\u{1f9e0}\u{1f9e0}',
  '\u{1f3f4}\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}',
  '\u{1faf1}\u{1f3fb}\u200d\u{1faf2}\u{1f3ff}',
];

export const SPECIALS = [
  ...'<|endoftext|> <|fim_prefix|> <|fim_middle|> <|fim_suffix|> <|endofprompt|>'.split(' '),
  ...'<|im_start|> <|im_end|> <|start|> <|message|> <|channel|> <|return|>'.split(' '),
  ...'<|reserved_200013|> <|endoftext'.split(' '),
];

/** What is broken, invisible, or easily lost on the way. */
export const CONTROLS = [
  ...'\0\u0001\u0007\b\u001b\u007f\u0080\u009f\ufeff\ufffe\uffff\ufffd\u{10ffff}\u{f0000}',
  ...'\ue000\u{e0001}\u200c\u200d\u200e\u00ad',
  ...['\ud83d', '\ude00', '\udfff', '\ud800', '\ud83d\ud83d', '\ude00\ud83d', '\0\0'],
];

export const WORDS = (
  'the of and to in is that for it as was with be by on not he his but at are this have from or had an they ' +
  'which one you were all her she there would their we him been has when who will no more if out so up said what ' +
  'its about than into them can only other time new some could these two may first then do any like my now over ' +
  'such our man me even most made after also did many off before must well back through years where much your way ' +
  'down should because long each just state those people too mister how little good world make very year still see ' +
  'own work men day get here old between both life being under three never know same last another while us might ' +
  'great go come since against right came take used himself few house american use place during high without again ' +
  'home around small however found part school thought went say general once upon every left got united number ' +
  'function return const string import export class value undefined null true false error request response token ' +
  'counterrevolutionaries internationalization Straßenbahn naïve façade jalapeño Übung München café résumé ' +
  'getElementById XMLHttpRequest toString iPhone eBay JSON HTTPServer utf8 sha256 x86 i18n McDonald ALLCAPS'
).split(' ');
