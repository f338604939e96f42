import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
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
