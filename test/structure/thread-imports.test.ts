import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, relative } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');

/** Files of ours that a built module loads before it runs, itself among them; what it loads on need is not. */
function loadedBy(entry: string): Set<string> {
  const found = new Set<string>();
  const visit = (file: string) => {
    if (found.has(relative(root, file))) return;
    found.add(relative(root, file));
    const { resolve } = createRequire(file);
    const source = readFileSync(file, 'utf8');
    for (const [, specifier = ''] of source.matchAll(/^(?:import|export)\b[^'"();]*['"]([^'"]+)['"];/gm))
      if (/^(?:\.|@preflight\/)/.test(specifier)) visit(resolve(specifier));
  };
  visit(join(root, entry));
  return found;
}

/** Each module costs every thread some 30 KB and some time at its start: `docs/performance.md` has the figures. */
it('a thread that counts loads no reader of files or of tokenizer.json, and no encoder', () => {
  const loaded = [...loadedBy('workers/pool/dist/thread.js')];
  expect(loaded).toContain('workers/tokenizer/dist/kernel/kernel-reader.js');
  expect(loaded).toContain('shared/core/dist/errors/preflight-error.js');
  const isOnNeed =
    /^workers\/(?:media|tokenizer\/dist\/(?:vocabularies|merge|pieces|tiktoken)|pool\/dist\/read-files)/;
  expect(loaded.filter((file) => isOnNeed.test(file))).toEqual([]);
  expect([...loadedBy('workers/pool/dist/read-files.js')]).toContain('workers/media/dist/inspect.js');
});
