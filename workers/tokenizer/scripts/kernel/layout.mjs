// The constants of assembly/layout.ts, the one place where they are written.
import { readFileSync } from 'node:fs';

const source = readFileSync(new URL('../../assembly/layout.ts', import.meta.url), 'utf8');

export const layout = {};
for (const [, name, type, value] of source.matchAll(/^export const (\w+): (\w+) = (\w+);/gm))
  layout[name] = type === 'u64' ? BigInt(value) : Number(value);
