import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expandCase } from './generate.mjs';

export type Plain = Record<string, unknown>;

/** A case of the pack, as it stands there. */
export interface TortureCase {
  readonly id: string;
  readonly theme: string;
  readonly title: string;
  readonly input: Plain & {
    readonly op: string;
    readonly level: string;
    readonly variants?: Record<string, Plain>;
  };
  readonly expect: Plain;
}

/** One input of a case, expanded. */
export interface Variant {
  /** Absent where the case has one input only. */
  readonly name: string | undefined;
  readonly input: Plain;
  readonly isOptional: boolean;
}

export const CASES: readonly TortureCase[] = readFileSync(join(import.meta.dirname, 'cases.jsonl'), 'utf8')
  .split('\n')
  .filter(Boolean)
  .map((line) => JSON.parse(line));

/** If there are variants, only they are run: each is laid over the rest of the input. */
export function variantsOf(torture: TortureCase): Variant[] {
  const names = Object.keys(torture.input.variants ?? {});
  const variants = names.length === 0 ? [undefined] : names;
  return variants.map((name) => {
    const input = expandCase(torture, name);
    return { name, input, isOptional: input.optional === true };
  });
}
