import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { IMPORT_RULES } from './import-rules.js';
import { folderCycles, importsOf, readImports, sourcesOf, violation } from './imports.js';

const root = join(import.meta.dirname, '../..');
const rooms = ['shared', 'workers', 'services'].flatMap((area) =>
  readdirSync(join(root, area)).map((name) => `${area}/${name}`),
);

describe('import directions', () => {
  it('have a rule for every room, and every rule its room', () => {
    expect(IMPORT_RULES.map((rule) => rule.room).sort()).toEqual(
      rooms.filter((room) => existsSync(join(root, room, 'package.json'))).sort(),
    );
  });

  it.each(IMPORT_RULES)('$room: $why', (rule) => {
    expect(readImports(root, rule.room).flatMap((found) => violation(found, rule) ?? [])).toEqual([]);
  });

  it('are read from a plausible number of imports', () => {
    expect(rooms.flatMap((room) => readImports(root, room)).length).toBeGreaterThan(150);
  });

  it('name the rule that a change breaks', () => {
    const core = IMPORT_RULES.find((rule) => rule.room === 'shared/core') ?? expect.fail();
    const sources = [
      "import { x } from 'node:fs';",
      "export * from '@preflight/pool';",
      "const m = await import('bullmq');",
      "import type { Y } from 'typebox';",
      "import {\n  z,\n} from 'fastify';",
    ];
    for (const source of sources) {
      const [found, ...rest] = importsOf('shared/core/src/a.ts', source);
      expect(rest).toEqual([]);
      expect(found && violation(found, core)).toContain('core is pure');
    }
    expect(
      importsOf('a.ts', "import { x } from './x.js';").flatMap((found) => violation(found, core) ?? []),
    ).toEqual([]);
  });

  it('agree with each package.json and tsconfig.json', () => {
    for (const rule of IMPORT_RULES) {
      const { dependencies = {}, optionalDependencies = {} } = JSON.parse(
        readFileSync(join(root, rule.room, 'package.json'), 'utf8'),
      );
      const declared = Object.keys({ ...dependencies, ...optionalDependencies });
      const used = new Set(
        readImports(root, rule.room)
          .map(({ specifier }) => specifier)
          .filter((specifier) => !specifier.startsWith('.') && !specifier.startsWith('node:'))
          .map((specifier) =>
            specifier
              .split('/')
              .slice(0, specifier.startsWith('@') ? 2 : 1)
              .join('/'),
          ),
      );
      expect(declared.sort(), rule.room).toEqual([...used].sort());
      const { references } = JSON.parse(readFileSync(join(root, rule.room, 'tsconfig.json'), 'utf8'));
      const referenced = references.map(
        ({ path }: { path: string }) => `@preflight/${path.split('/').at(-1)}`,
      );
      expect(referenced.sort(), rule.room).toEqual(
        [...used].filter((name) => name.startsWith('@preflight/')).sort(),
      );
    }
  });
});

describe('folders of a room', () => {
  it.each(IMPORT_RULES)('of $room do not import each other in a circle', ({ room }) => {
    expect(folderCycles(readImports(root, room))).toEqual([]);
  });

  it('are found in a circle, also over a third', () => {
    const found = (...pairs: readonly (readonly [string, string])[]) =>
      folderCycles(pairs.map(([from, to]) => ({ file: `a/b/src/${from}/x.ts`, specifier: `../${to}/y.js` })));
    expect(found(['one', 'two'], ['two', 'three'])).toEqual([]);
    expect(found(['one', 'two'], ['two', 'one'], ['four', 'one'])).toEqual(['one > two', 'two > one']);
    expect(found(['one', 'two'], ['two', 'three'], ['three', 'one'], ['one', 'five'])).toEqual([
      'one > two',
      'three > one',
      'two > three',
    ]);
  });
});

describe('process.env', () => {
  it('is read by shared/runtime only', () => {
    const readers = rooms
      .flatMap((room) => sourcesOf(root, room))
      .filter((file) => readFileSync(join(root, file), 'utf8').includes('process.env'));
    expect(readers.filter((file) => !file.startsWith('shared/runtime/'))).toEqual([]);
    expect(readers).not.toEqual([]);
  });
});
