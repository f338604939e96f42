import { afterAll } from 'vitest';

const endings: (() => Promise<void>)[] = [];

// Registered while the file is collected, since vitest forgets an `afterAll` that is called by a hook or a test.
afterAll(async () => {
  for (const end of endings.splice(0).reverse()) await end();
});

/** Runs when all tests of the file are over, whether it is asked for by the file, a hook or a test. The last asked runs first. */
export function atEndOfFile(end: () => Promise<void>): void {
  endings.push(end);
}
