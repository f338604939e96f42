import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Where the facts stand that the catalog is made of. */
export const FACTS = join(import.meta.dirname, '../facts');

export const PRICES_FILE = 'genai-prices.json';

/** The facts of each provider. */
export function readFacts() {
  return readdirSync(FACTS)
    .filter((file) => file.endsWith('.json') && file !== PRICES_FILE)
    .sort()
    .map(readFactFile);
}

/** Prices that are taken from elsewhere. */
export function readPrices() {
  return readFactFile(PRICES_FILE);
}

function readFactFile(file) {
  return JSON.parse(readFileSync(join(FACTS, file), 'utf8'));
}
