import type { Plain } from '../checkers/index.js';
import type { Script } from './script.js';

/** How a format writes a script. */
export interface Rendering {
  /** Where the list of messages stands, and where in one of them its content does. */
  readonly list: string;
  readonly content: string;
  render(script: Script): Rendered;
}

export interface Rendered {
  readonly request: Plain;
  readonly model: string;
}

export function pick<Item>(items: readonly Item[], style: number): Item {
  return items[style % items.length] as Item;
}
