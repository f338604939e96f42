import { constants } from 'node:buffer';
import { inspect } from 'node:util';
import { type Json, PreflightError, TextRange } from '@preflight/core';
import { describe, expect, test, vi } from 'vitest';
import { MAX_BODY_BYTES, parseBody, parseBodySteps } from './parse-body.js';
import { allocateShared, toSharedBytes } from './shared-bytes.js';
import { writeJson } from './write-json.js';

const LONG = 'abcdefghijklmnopqrstuvwxyz';
const parse = (text: string) => parseBody(Buffer.from(text), { liftBytes: 20 });

/** The text of a value that must be a range. */
function textOf(value: Json | undefined): string {
  if (!(value instanceof TextRange)) throw new Error(`no range: ${inspect(value)}`);
  return Buffer.from(value.bytes()).toString();
}

function refusalOf(parsing: () => Json): PreflightError {
  try {
    parsing();
  } catch (error) {
    if (error instanceof PreflightError) return error;
    throw error;
  }
  throw new Error('not refused');
}

describe('long strings', () => {
  test('become ranges of the memory of the body', () => {
    const body = toSharedBytes(Buffer.from(`{"role":"user","content":"${LONG}"}`));
    const { role, content } = parseBody(body, { liftBytes: 20 }) as Record<string, Json>;
    expect(role).toBe('user');
    expect(textOf(content)).toBe(LONG);
    expect((content as TextRange).buffer).toBe(body.buffer);
  });

  test('are those whose value has more than liftBytes bytes of UTF-8', () => {
    expect(parse(`"${'x'.repeat(20)}"`)).toBe('x'.repeat(20));
    expect(textOf(parse(`"${'x'.repeat(21)}"`))).toBe('x'.repeat(21));
    expect(textOf(parse(`"${'é'.repeat(11)}"`))).toBe('é'.repeat(11));
    expect(parse(`"${'\\u0041'.repeat(20)}"`)).toBe('A'.repeat(20));
    expect(textOf(parse(`"${'\\u0041'.repeat(21)}"`))).toBe('A'.repeat(21));
  });

  test('are those over 4096 bytes by default', () => {
    expect(parseBody(Buffer.from(`"${'x'.repeat(4096)}"`))).toBe('x'.repeat(4096));
    expect(parseBody(Buffer.from(`"${'x'.repeat(4097)}"`))).toBeInstanceOf(TextRange);
  });

  test.each([
    `${LONG}\\n`,
    `\\"${LONG}\\\\\\"${LONG}\\\\`,
    `${LONG}\\/\\b\\f\\n\\r\\t\\u0000\\u001F`,
    `${LONG}\\u00e9\\u20AC\\ud83d\\ude00é€😀`,
    '\\"'.repeat(200),
    '\\\\'.repeat(200),
    `${'\\\\'.repeat(200)}\\"`,
    `${'x'.repeat(500)}\\"${'x'.repeat(500)}\\\\`,
  ])('are unescaped: %s', (escaped) => {
    const parsed = parse(`[1,"${escaped}",2]`) as Json[];
    expect([parsed[0], textOf(parsed[1]), parsed[2]]).toEqual(JSON.parse(`[1,"${escaped}",2]`));
  });

  test.each(['\\ud83d', '\\ude00', '\\ude00\\ud83d', '\\ud83d\\u0041', '\\ud83d\\n', '\\uD83D\\\\uDE00'])(
    'with the lone surrogate %s, which UTF-8 cannot hold, have U+FFFD there and can be written as they came',
    (surrogate) => {
      const text = `"${LONG}${surrogate}${LONG}"`;
      const range = parse(text) as TextRange;
      const value: string = JSON.parse(text);
      expect(textOf(range)).toBe(value.toWellFormed());
      expect(writeJson(range).toString()).toBe(JSON.stringify(value));
      expect(writeJson(range.prefix(30)).toString()).toBe(JSON.stringify(value.toWellFormed().slice(0, 28)));
    },
  );

  test('stay strings as keys of objects', () => {
    expect(parse(`{"${LONG}" \n: 1}`)).toEqual({ [LONG]: 1 });
  });

  test('of several kinds find their places, whatever the order of keys', () => {
    const parsed = parse(
      `{"b":"${LONG}b","1":["${LONG}1\\n",{"x":"${LONG}x"}],"b":"${LONG}c","0":"${LONG}0"}`,
    ) as Record<string, Json>;
    expect(Object.keys(parsed)).toEqual(['0', '1', 'b']);
    expect(textOf(parsed['0'])).toBe(`${LONG}0`);
    expect(textOf(parsed.b)).toBe(`${LONG}c`);
    const [first, second] = parsed['1'] as [Json, Record<string, Json>];
    expect(textOf(first)).toBe(`${LONG}1\n`);
    expect(textOf(second.x)).toBe(`${LONG}x`);
  });

  test('under __proto__ set no prototype', () => {
    const parsed = parse(`{"__proto__":"${LONG}","a":{"__proto__":{"b":"${LONG}"}}}`) as Record<string, Json>;
    expect(Object.getPrototypeOf(parsed)).toBe(Object.prototype);
    expect(textOf(Object.getOwnPropertyDescriptor(parsed, '__proto__')?.value)).toBe(LONG);
  });

  test('leave the body as it was, and a copy of it is made only if it is not shared', () => {
    const body = Buffer.from(`["${LONG}\\n"]`);
    const before = Buffer.from(body);
    parseBody(body, { liftBytes: 20 });
    expect(body).toEqual(before);
    const shared = toSharedBytes(body);
    expect(toSharedBytes(shared).buffer).toBe(shared.buffer);
    expect(toSharedBytes(shared.subarray(1, 3)).byteOffset).toBe(1);
  });
});

describe('refusals', () => {
  test.each([
    ['', 0],
    ['\ufeff{}', 0],
    ['{"a":1,}', 7],
    ['[1 2]', 3],
    ['[1]]', 3],
    ['[01]', 2],
    ['[1.]', 3],
    ['nul', 3],
    [`["${LONG}`, 28],
    [`["${LONG}\n"]`, 28],
    [`["${LONG}\\x"]`, 29],
    [`["${LONG}\\u12G4"]`, 32],
    [`["${LONG}\\\\\\"]`, 33],
    [`["é${LONG}" "${LONG}"]`, 32],
    [`\\"${LONG}"`, 0],
    [`{"a":"${LONG}","b"}`, 37],
  ])('invalid JSON %j is refused at byte %i', (text, position) => {
    const refusal = refusalOf(() => parse(text));
    expect(refusal).toMatchObject({ code: 'invalid_json', params: { position } });
  });

  test('a comma is missed between containers so large that they are divided', () => {
    const list = `[${Array(20_000).fill(1)}]`;
    const object = `{${Array.from({ length: 5000 }, (_, i) => `"${i}":1`)}}`;
    for (const first of [list, object])
      for (const second of [list, object])
        for (const space of ['', ' ']) {
          const inList = refusalOf(() => parse(`[0,${first}${space}${second}]`));
          const inObject = refusalOf(() => parse(`{"a":${first}${space}"b":${second}}`));
          const length = first.length + space.length;
          expect(inList).toMatchObject({ code: 'invalid_json', params: { position: 3 + length } });
          expect(inObject).toMatchObject({ code: 'invalid_json', params: { position: 5 + length } });
        }
  });

  test('show nothing of the body', () => {
    for (const text of ['{"secret":"hunter2",}', 'hunter2', `["hunter2${LONG}\n"]`, '"hunter2']) {
      const refusal = refusalOf(() => parse(text));
      expect(inspect(refusal, { showHidden: true, depth: 10 })).not.toContain('hunter2');
    }
  });

  test.each([
    ['a stray byte', [0x22, 0xff, 0x22]],
    ['an overlong form', [0x22, 0xc0, 0xaf, 0x22]],
    ['an encoded surrogate', [0x22, 0xed, 0xa0, 0x80, 0x22]],
    ['a sequence that is cut off', [0x22, 0xe2, 0x82]],
  ])('invalid UTF-8: %s', (_name, bytes) => {
    expect(refusalOf(() => parseBody(Buffer.from(bytes))).code).toBe('invalid_utf8');
  });

  test('nesting is bounded, by default at 128', () => {
    const nested = (depth: number) => '[{"a":'.repeat(depth / 2) + 1 + '}]'.repeat(depth / 2);
    expect(parse(nested(128))).toEqual(JSON.parse(nested(128)));
    const refusal = refusalOf(() => parse(nested(130)));
    expect(refusal).toMatchObject({ code: 'body_too_deep', params: { limit: 128, position: 64 * 6 } });
    expect(parse(JSON.stringify('['.repeat(200)))).toBeInstanceOf(TextRange);
  });

  test('a body of brackets only is refused at once', () => {
    expect(refusalOf(() => parseBody(Buffer.alloc(64_000_000, '['))).code).toBe('body_too_deep');
  });
});

test('memory for the value is reserved before it is made, by values, short texts and escapes', () => {
  const reserved = (text: string) => {
    let bytes = 0;
    parseBody(Buffer.from(text), { liftBytes: 20, reserve: (wanted) => (bytes = wanted) });
    return bytes;
  };
  expect(reserved('[1,2,3]')).toBe(3 * 400 + 2 * 7);
  expect(reserved(`"${LONG}"`)).toBe(2 * 2);
  expect(reserved(`"${LONG}\\n"`)).toBe(2 * 2 + 28);
  const refuse = () => {
    throw new PreflightError('overloaded');
  };
  expect(refusalOf(() => parseBody(Buffer.from('[]'), { reserve: refuse })).code).toBe('overloaded');
});

describe('time', () => {
  const SIZE = 4_000_000;
  test.each([
    ['escaped quotes', `"${'\\"'.repeat(SIZE / 2)}"`],
    ['backslashes', `"${'\\\\'.repeat(SIZE / 2)}"`],
    ['backslashes without an end', `"${'\\\\'.repeat(SIZE / 2)}\\"`],
    ['quotes', `[${'"",'.repeat(SIZE / 3)}""]`],
    ['long strings', `[${`"${'x'.repeat(5_000)}",`.repeat(SIZE / 5_000)}""]`],
    ['long strings, escaped', `[${`"${'x'.repeat(5_000)}\\n",`.repeat(SIZE / 5_000)}""]`],
    ['spaces after strings', `[${`"${'x'.repeat(5_000)}"${' '.repeat(5_000)},`.repeat(SIZE / 10_000)}1]`],
    ['quotes far apart', `"${`${'x'.repeat(300)}\\"`.repeat(SIZE / 302)}"`],
    ['strings without an end', `["${'x'.repeat(SIZE)}`],
    ['escapes of code points', `"${'\\u6f22'.repeat(SIZE / 6)}"`],
  ])('is linear in the size of %s', (_name, text) => {
    const body = toSharedBytes(Buffer.from(text));
    const start = performance.now();
    try {
      parseBody(body);
    } catch (error) {
      if (!(error instanceof PreflightError)) throw error;
    }
    // Ordinary figures are 1 to 40 ms; whatever is quadratic takes minutes.
    expect(performance.now() - start).toBeLessThan(1_500);
  });

  test('of a large attachment is a fraction of that of JSON.parse', () => {
    const body = toSharedBytes(Buffer.from(JSON.stringify([{ data: 'QUJD'.repeat(5_000_000) }])));
    const fastest = (run: () => unknown): number => {
      const times = Array.from({ length: 5 }, () => {
        const start = performance.now();
        run();
        return performance.now() - start;
      });
      return Math.min(...times);
    };
    const reference = fastest(() => JSON.parse(body.toString()));
    expect(fastest(() => parseBody(body))).toBeLessThan(reference / 2);
  });
});

describe('size', () => {
  test('is limited to what fits into one string of V8', () => {
    expect(MAX_BODY_BYTES).toBeLessThan(constants.MAX_STRING_LENGTH);
    // The bytes are never touched, so that they take no memory.
    const refusal = refusalOf(() => parseBody(allocateShared(MAX_BODY_BYTES + 1)));
    expect(refusal).toMatchObject({
      code: 'body_too_large',
      params: { limit_bytes: MAX_BODY_BYTES, size_bytes: MAX_BODY_BYTES + 1 },
    });
  });
});

describe('the number of values', () => {
  const values = (count: number) => Buffer.from(`[${Array(count).fill(0).join(',')}]`);

  test('is limited, exactly at the border', () => {
    // The list itself and its commas.
    expect(parseBody(values(1_000_000))).toHaveLength(1_000_000);
    const refusal = refusalOf(() => parseBody(values(1_000_001)));
    expect(refusal).toMatchObject({ code: 'body_too_many_values', params: { limit: 1_000_000 } });
    expect(refusal.params.position).toBe(2 * 1_000_000);
  });

  test.each([
    ['[0,0,0,0]', 4],
    ['[{},[]]', 4],
    ['{"a":{"b":0},"c":0}', 3],
    ['[[[[]]]]', 4],
    ['0', 0],
  ])('counts commas and opened containers: %s has %i', (text, count) => {
    expect(parseBody(Buffer.from(text), { maxValues: count })).toEqual(JSON.parse(text));
    const parse = () => parseBody(Buffer.from(text), { maxValues: count - 1 });
    if (count > 0) expect(refusalOf(parse).params.limit).toBe(count - 1);
  });

  test('is not told by what stands in strings', () => {
    const strings = { ',{[,': ',,,,,,[[[[{{{{', long: ',{['.repeat(3000), escaped: '",,,[\\' };
    const parse = () => parseBody(Buffer.from(JSON.stringify(strings)), { maxValues: 3 });
    expect(Object.keys(parse() as object)).toEqual(Object.keys(strings));
  });
});

describe('objects', () => {
  const members = (count: number) => `{${Array.from({ length: count }, (_, i) => `"${i}":0`).join(',')}}`;

  test('have a limited number of members, exactly at the border, each for itself', () => {
    const parse = (text: string) => parseBody(Buffer.from(text), { maxMembers: 3 });
    const text = `[${members(3)},{"a":${members(3)},"b":[1,2,3,4,5],"c":${members(3)}}]`;
    expect(parse(text)).toEqual(JSON.parse(text));
    const refusal = refusalOf(() => parse(`[0,${members(4)}]`));
    expect(refusal).toMatchObject({ code: 'object_too_large', params: { limit: 3, position: 21 } });
    expect(refusalOf(() => parseBody(Buffer.from(members(10_001)))).params.limit).toBe(10_000);
  });

  test('have keys of a limited length, exactly at the border', () => {
    const key = 'k'.repeat(65_536);
    expect(parseBody(Buffer.from(`{"${key}":0}`))).toEqual({ [key]: 0 });
    const refusal = refusalOf(() => parseBody(Buffer.from(`{"${key}k":0}`)));
    expect(refusal).toMatchObject({ code: 'key_too_long', params: { limit: 65_536, position: 1 } });
  });
});

describe('steps', () => {
  const long = 'x'.repeat(10_000);
  const values: [string, Json][] = [
    ['a list', Array.from({ length: 100_000 }, (_, i) => i)],
    ['lists in lists', Array.from({ length: 300 }, () => [Array(300).fill([0, [1]])])],
    ['messages', { messages: Array.from({ length: 30_000 }, (_, i) => ({ role: 'user', content: `${i}` })) }],
    [
      'one message',
      { messages: [{ role: 'user', content: Array(30_000).fill({ type: 'text', text: 'a' }) }] },
    ],
    [
      'objects',
      Array.from({ length: 20 }, (_, j) =>
        Object.fromEntries(Array.from({ length: 9999 }, (_, i) => [`${j} ${i}`, i])),
      ),
    ],
    [
      'long texts among short ones',
      Array.from({ length: 50_000 }, (_, i) => (i % 500 === 0 ? long : 'short')),
    ],
  ];

  test.each(values)('give JSON.parse little at a time: %s', (_, value) => {
    const given = vi.spyOn(JSON, 'parse');
    const parsed = parseBody(Buffer.from(JSON.stringify(value)));
    const lengths = given.mock.calls.map(([text]) => text.length);
    given.mockRestore();
    expect(lengths.length).toBeGreaterThan(10);
    expect(Math.max(...lengths)).toBeLessThan(40_000);
    expect(JSON.parse(writeJson(parsed).toString())).toEqual(value);
  });

  test('are many for one long text, to lift it, to unescape it and to find what is wrong with it', () => {
    const stepsOf = (text: string) => {
      const steps = parseBodySteps(Buffer.from(text));
      let count = 0;
      try {
        while (!steps.next().done) count += 1;
      } catch (error) {
        expect(error).toMatchObject({ code: 'invalid_json' });
      }
      return count;
    };
    const mebibytes = (part: string) => part.repeat((8 * 1024 * 1024) / part.length);
    expect(stepsOf(`"${mebibytes('\\n12345678901234')}"`)).toBeGreaterThanOrEqual(32);
    expect(stepsOf(`"${mebibytes('\\ud800ab')}"`)).toBeGreaterThanOrEqual(48);
    expect(stepsOf(`"${mebibytes('0123456789abcdef')}`)).toBeGreaterThanOrEqual(128);
  });
});
