import { expect, test } from 'vitest';
import { compareWithJsonParse, type Outcome } from './differential.fuzz.js';
import { RandomJson, seededRandom } from './random-json.fuzz.js';

/** A long run by hand: `FUZZ_CASES=3000000 FUZZ_SEED=7 npx vitest run shared/body/src/parse-body.fuzz.test.ts`. */
const CASES = Number(process.env.FUZZ_CASES ?? 50_000);
const SEED = Number(process.env.FUZZ_SEED ?? 1);

const LIFT_BYTES = [0, 1, 8, 20, 100];
/** From a border at every comma to none. */
const GROUP_BYTES = [0, 2, 10, 30, 1000, 32_768, 5];

test(`parseBody and writeJson equal JSON.parse and JSON.stringify on ${CASES} texts`, {
  timeout: 4 * 3_600_000,
}, () => {
  const texts = new RandomJson(seededRandom(SEED));
  const outcomes: Record<Outcome, number> = { lifted: 0, plain: 0, invalid_json: 0, invalid_utf8: 0 };
  for (let i = 0; i < CASES; i += 1) {
    const bytes = texts.next();
    const liftBytes = LIFT_BYTES[i % LIFT_BYTES.length] as number;
    const groupBytes = GROUP_BYTES[i % GROUP_BYTES.length] as number;
    try {
      outcomes[compareWithJsonParse(bytes, liftBytes, groupBytes)] += 1;
    } catch (error) {
      const text = bytes.toString('latin1');
      throw new Error(
        `case ${i} of seed ${SEED}, liftBytes ${liftBytes}, groupBytes ${groupBytes}: ${JSON.stringify(text)}: ${error}`,
      );
    }
  }
  console.log(outcomes);
  for (const count of Object.values(outcomes)) expect(count).toBeGreaterThan(CASES / 100);
});
