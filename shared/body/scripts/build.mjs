// node scripts/build.mjs: dist/control-bytes.wasm, if there is none of these very sources.
import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import asc from 'assemblyscript/asc';

const PACKAGE = new URL('../', import.meta.url);
const SOURCE = 'assembly/control-bytes.ts';
const MODULE = new URL('dist/control-bytes.wasm', PACKAGE);
/** The exact version of assemblyscript is in the second, how it is called in the third. */
const SOURCES = [SOURCE, 'package.json', 'scripts/build.mjs'];

function isBuilt() {
  const builtMs = statSync(MODULE, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  return SOURCES.every((source) => statSync(new URL(source, PACKAGE)).mtimeMs <= builtMs);
}

async function build() {
  const { error, stderr } = await asc.main(
    [
      ...[SOURCE, '--baseDir', fileURLToPath(PACKAGE), '--outFile', 'control-bytes.wasm'],
      ...['-O3', '--runtime', 'stub', '--enable', 'simd', '--initialMemory', '1', '--maximumMemory', '1'],
    ],
    {
      writeFile(_name, contents) {
        mkdirSync(new URL('.', MODULE), { recursive: true });
        writeFileSync(MODULE, contents);
      },
    },
  );
  if (error) throw new Error(`${error.message}\n${stderr}`);
}

if (!isBuilt()) await build();
