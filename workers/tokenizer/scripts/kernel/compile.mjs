// Compiles the kernel for one pattern family. Deterministic: same sources, same bytes.
import { fileURLToPath } from 'node:url';
import asc from 'assemblyscript/asc';
import { layout } from '../../tables/layout.mjs';

/** The numbers of assembly/pattern.ts. */
const PATTERN_NUMBERS = { gpt2: 1, cl100k: 2, o200k: 3, llama3: 4, qwen2: 5, tekken: 6 };
/** Families that a module is compiled for. */
export const FAMILIES = Object.keys(PATTERN_NUMBERS);
const PACKAGE = fileURLToPath(new URL('../..', import.meta.url));

export async function compileKernel(family) {
  const { error, stderr, binary } = await compile(family);
  if (error) throw new Error(`${error.message}\n${stderr}`);
  return binary;
}

async function compile(family) {
  let binary;
  const { error, stderr } = await asc.main(
    [
      ...['assembly/entry.ts', '--baseDir', PACKAGE, '--outFile', 'kernel.wasm'],
      ...['-O3', '--converge', '--noAssert', '--runtime', 'stub', '--use', 'abort='],
      ...[
        '--importMemory',
        '--sharedMemory',
        '--initialMemory',
        `${layout.TABLES_END / 65_536}`,
        '--maximumMemory',
        '65536',
      ],
      ...['--enable', 'simd', '--enable', 'threads', '--use', `PATTERN=${PATTERN_NUMBERS[family]}`],
    ],
    {
      writeFile: (_name, contents) => {
        binary = contents;
      },
    },
  );
  return { error, stderr: stderr.toString(), binary };
}
