import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import type { ImportRule } from './import-rules.js';

export interface Import {
  readonly file: string;
  readonly specifier: string;
}

const IMPORT =
  /^\s*(?:import|export)\s(?:[^'"`;]*?\sfrom\s)?\s*['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]/gm;

/** Every import of a source text: static, re-exported, type-only and dynamic ones. */
export function importsOf(file: string, source: string): Import[] {
  return [...source.matchAll(IMPORT)].map((match) => ({ file, specifier: (match[1] ?? match[2]) as string }));
}

/** What a rule says against an import; undefined if nothing. Tests may import whatever they need. */
export function violation({ file, specifier }: Import, rule: ImportRule): string | undefined {
  if (specifier.startsWith('.') || allows(rule, specifier)) return undefined;
  return `${file} imports ${specifier}: ${rule.room} may not, because ${rule.why}`;
}

function allows(rule: ImportRule, specifier: string): boolean {
  const own = /^@preflight\/([^/]+)/.exec(specifier)?.[1];
  if (own !== undefined) return rule.own.includes(own);
  return rule.outside.some((allowed) =>
    allowed.endsWith('*')
      ? specifier.startsWith(allowed.slice(0, -1))
      : specifier === allowed || specifier.startsWith(`${allowed}/`),
  );
}

/** Product sources of a room, tests and what serves only tests left out. */
export function sourcesOf(root: string, room: string): string[] {
  return readdirSync(join(root, room, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !/\.(test|contract)\.ts$|(^|\/)testing\//.test(file))
    .map((file) => relative(root, join(root, room, 'src', file)));
}

export function readImports(root: string, room: string): Import[] {
  return sourcesOf(root, room).flatMap((file) => importsOf(file, readFileSync(join(root, file), 'utf8')));
}

/**
 * Which folders of a room import each other, directly or over others: every import between two of them, as
 * `folder > folder`. Folders are those directly in `src`; files beside them put folders together, and count as none.
 */
export function folderCycles(imports: readonly Import[]): string[] {
  let edges = [...new Set(imports.flatMap(({ file, specifier }) => edgeOf(file, specifier) ?? []))];
  for (let left = 0; left !== edges.length; ) {
    left = edges.length;
    const from = new Set(edges.map((edge) => edge.split(' > ')[0]));
    const to = new Set(edges.map((edge) => edge.split(' > ')[1]));
    // What is imported and imports nothing, or the other way round, is in no cycle.
    edges = edges.filter((edge) => {
      const [importer, imported] = edge.split(' > ');
      return to.has(importer) && from.has(imported);
    });
  }
  return edges.sort();
}

function edgeOf(file: string, specifier: string): string | undefined {
  if (!specifier.startsWith('.')) return undefined;
  const folderIn = (path: string) => /\/src\/([^/]+)\//.exec(path)?.[1];
  const [importer, imported] = [folderIn(file), folderIn(join(dirname(file), specifier))];
  const isEdge = importer !== undefined && imported !== undefined && importer !== imported;
  return isEdge ? `${importer} > ${imported}` : undefined;
}
