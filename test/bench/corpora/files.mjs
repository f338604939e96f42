import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Random } from '../random.mjs';

const packages = join(import.meta.dirname, '../node_modules');

/** Texts that stand in the files of installed packages, each used once. All are read when they are first asked for. */
export function fromFiles(name, title, readUnits) {
  let units;
  const supply = () => {
    units ??= readUnits();
    return units;
  };
  return {
    name,
    title,
    get supplyBytes() {
      return supply().reduce((sum, unit) => sum + Buffer.byteLength(unit), 0);
    },
    open(seed) {
      const groups = new Random(`${name} ${seed}`).shuffle(grouped(supply()));
      const left = groups.flat();
      let at = 0;
      const next = (bytes) => {
        const taken = [];
        for (let length = 0; length < bytes; length += Buffer.byteLength(taken.at(-1))) {
          if (at === left.length) throw new RangeError(`no more unseen text of the corpus ${name}`);
          taken.push(left[at++]);
        }
        return [taken.join('')];
      };
      return { next };
    },
  };
}

/** Neighbours stay together, so that a text keeps to one topic or language for a while. */
function grouped(units) {
  const groups = [];
  for (let i = 0; i < units.length; i += 8) groups.push(units.slice(i, i + 8));
  return groups;
}

function filesOf(folder, pattern) {
  return readdirSync(join(packages, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => pattern.test(file))
    .sort()
    .map((file) => join(packages, folder, file))
    .filter((file) => statSync(file).isFile());
}

let paragraphs;

/** Paragraphs of documentation comments that read like sentences, each once. */
export function proseParagraphs() {
  if (paragraphs) return paragraphs;
  const found = new Set();
  for (const file of filesOf('aws-sdk/clients', /\.d\.ts$/))
    for (const [comment] of readFileSync(file, 'utf8').matchAll(/\/\*\*[\s\S]*?\*\//g))
      for (const part of comment
        .replace(/^\/\*\*|\*\/$/g, '')
        .replace(/^\s*\* ?/gm, '')
        .split(/\n\s*\n|\n\s*@/))
        if (isProse(part))
          found.add(
            `${part
              .replace(/<[^>]*>/g, '')
              .trim()
              .replace(/\s+/g, ' ')}\n\n`,
          );
  paragraphs = new Random('prose').shuffle([...found]);
  return paragraphs;
}

function isProse(text) {
  if (text.length < 90 || !/[a-z]\. |\.\s*$/.test(text)) return false;
  const odd = text.replace(/<[^>]*>/g, '').match(/[^A-Za-z\s,.'"()-]/g)?.length ?? 0;
  return odd < text.length * 0.03;
}

/** Source files in stretches of about 1 KB that end at a line, each once. */
function codeUnits() {
  const files = [
    ...filesOf('three', /^(src|examples.jsm)\b.*\.js$/),
    ...filesOf('typescript/lib', /^typescript\.js$|\.d\.ts$/),
    ...filesOf('webpack', /^(lib|schemas)\b.*\.(js|json)$/),
    ...filesOf('aws-sdk/lib', /\.js$/),
  ];
  const found = new Set();
  for (const file of files) {
    const text = readFileSync(file, 'utf8');
    if (text.length / text.split('\n').length > 90) continue;
    const lines = text.split(/(?<=\n)/);
    for (let i = 0; i < lines.length; i += 24) found.add(lines.slice(i, i + 24).join(''));
  }
  return [...found];
}

/** Localized compiler messages, some at a time. @param {string} language */
function compilerMessages(language) {
  const file = join(packages, 'typescript/lib', language, 'diagnosticMessages.generated.json');
  const messages = Object.values(JSON.parse(readFileSync(file, 'utf8')));
  return stretches(messages, 6).map((some) => `${some.join('\n')}\n`);
}

/** Localized texts of an editor, menus and explanations of its settings, some at a time. @param {string} language */
function editorMessages(language) {
  const messages = editorTexts(language);
  // What is the same in two languages was not translated.
  const others = editorTexts(language === 'ko' ? 'de' : 'ko');
  const translated = messages.filter((message, i) => message && message !== others[i]);
  return stretches([...new Set(translated)], 12).map((some) => `${some.join('\n')}\n`);
}

/** All texts of the editor, in the same order in every language; null where there is none. @param {string} language */
function editorTexts(language) {
  const folder = `@codingame/monaco-vscode-language-pack-${language}/translations`;
  const module = readFileSync(join(packages, folder, 'main.i18n.json.js'), 'utf8');
  const list = module.slice(module.indexOf('['), module.lastIndexOf(']') + 1);
  return JSON.parse(list.replace(/^\tundefined,$/gm, '\tnull,'));
}

const EDITOR_NAMES = { 'zh-cn': 'zh-hans', 'zh-tw': 'zh-hant' };

/** What a compiler and an editor say. @param {string} language */
export function messages(language) {
  return [...compilerMessages(language), ...editorMessages(EDITOR_NAMES[language] ?? language)];
}

/** A book verse by verse: a translation, or with the key `text` the original. @param {string} file @param {string} key */
export function verses(file, key = 'translation') {
  const chapters = JSON.parse(readFileSync(join(packages, 'quran-json/dist', `${file}.json`), 'utf8'));
  return chapters.flatMap((chapter) =>
    stretches(chapter.verses, 4).map((some) => some.map((verse) => `${verse.id}. ${verse[key]}\n`).join('')),
  );
}

function stretches(list, length) {
  return Array.from({ length: Math.ceil(list.length / length) }, (_, i) =>
    list.slice(i * length, (i + 1) * length),
  );
}

export const ASIAN = ['zh-cn', 'zh-tw', 'ja', 'ko'];

export const fileCorpora = [
  fromFiles('prose', 'English prose', proseParagraphs),
  fromFiles('code', 'source code', codeUnits),
  fromFiles('cjk', 'Chinese, Japanese, Korean', () => [...ASIAN.flatMap(messages), ...verses('quran_zh')]),
  fromFiles('arabic', 'Arabic and Urdu', () => [...verses('quran', 'text'), ...verses('quran_ur')]),
];
