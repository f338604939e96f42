import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

const PAGES = ['README.md', 'CONTRIBUTING.md', ...readdirSync('docs').map((name) => `docs/${name}`)].filter(
  (page) => page.endsWith('.md'),
);

/** Sources and pages, what is installed or built left out. */
function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (!entry.isDirectory()) return [path];
    return /^(node_modules|dist|\..*)$/.test(entry.name) ? [] : filesBelow(path);
  });
}

const files = ['services', 'workers', 'shared', 'test', 'docs', 'examples'].flatMap(filesBelow);

test.each(PAGES)('files that %s names are there', (page) => {
  const text = readFileSync(page, 'utf8');
  const links = [...text.matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map(([, link]) => link as string);
  expect(links.filter((link) => !existsSync(join(dirname(page), link)))).toEqual([]);
  const named = [...text.matchAll(/`([\w./-]+\.(?:ts|mjs|md))`/g)].map(([, name]) => name as string);
  expect(
    named.filter((name) => !existsSync(name) && !files.some((file) => file.endsWith(`/${name}`))),
  ).toEqual([]);
});

/** Headings as GitHub makes anchors of them. */
function anchorsOf(page: string): string[] {
  return [...readFileSync(page, 'utf8').matchAll(/^#+ (.*)$/gm)].map(([, heading]) =>
    (heading as string)
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\- _]/gu, '')
      .replaceAll(' ', '-'),
  );
}

test.each(PAGES)('headings that %s refers to are there', (page) => {
  const references = [...readFileSync(page, 'utf8').matchAll(/\]\(((?!https?:)[^)#]*)#([^)]+)\)/g)];
  const missing = references.filter(
    ([, path, anchor]) => !anchorsOf(path ? join(dirname(page), path) : page).includes(anchor as string),
  );
  expect(missing.map(([, path, anchor]) => `${path}#${anchor}`)).toEqual([]);
});

test('there are pages that name files', () => {
  expect(readFileSync('docs/architecture.md', 'utf8')).toMatch(/`[\w./-]+\.ts`/);
  expect(PAGES.length).toBeGreaterThan(8);
});
