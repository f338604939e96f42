import { describe, expect, test } from 'vitest';
import { type TextKind, textKindOf } from './text-kind.js';

const prose =
  'The harbour opened late in the morning, because the fog would not lift. Most of the boats had been waiting since dawn, and their crews were tired. ';
const code = `export function sum(values: number[]): number {
  let total = 0;
  for (const value of values) total += value * 2;
  return total > 10 ? total : -1;
}
`;
const json = JSON.stringify({
  id: 4711,
  name: 'crane',
  tags: ['a', 'b'],
  at: '2026-11-01T10:00:00Z',
  ok: true,
});

const EXAMPLES: readonly [TextKind, string, string][] = [
  ['prose', 'English', prose],
  ['prose', 'German', 'Größere Schiffe müssen draußen warten, bis der Lotse kommt. '.repeat(3)],
  ['prose', 'Russian', 'Большие суда ждут снаружи, пока не придёт лоцман. '.repeat(3)],
  ['prose', 'a few words', 'Yes, please. '],
  ['prose', 'nothing', ''],
  ['code', 'TypeScript', code],
  [
    'code',
    'Python',
    'def f(self, x=1):\n    self._x = [y * 2 for y in range(x)]\n    return self._x\n'.repeat(3),
  ],
  ['json', 'an object', json],
  ['json', 'CSV', 'id,name,price,count\n1,crane,12.50,3\n2,lamp,7.25,18\n'.repeat(4)],
  ['cjk', 'Chinese', '大型船只必须在外面等候，直到引航员到来。'],
  ['cjk', 'Japanese', '大きな船は水先案内人が来るまで外で待たなければならない。'],
  ['cjk', 'Korean', '큰 배들은 도선사가 올 때까지 밖에서 기다려야 한다.'],
  ['base64', 'bytes', Buffer.from(Array.from({ length: 300 }, (_, i) => (i * 73) % 251)).toString('base64')],
  ['base64', 'zeros', 'A'.repeat(400)],
];

describe('the kind of a text', () => {
  test.each(EXAMPLES)('%s: %s', (kind, _, text) => {
    expect(textKindOf([Buffer.from(text)])).toBe(kind);
  });

  test.each(EXAMPLES)('%s: %s, of any length', (kind, _, text) => {
    for (const times of [20, 3000]) expect(textKindOf([Buffer.from(text.repeat(times))])).toBe(kind);
  });

  test('is the same however its bytes are divided', () => {
    for (const [kind, , text] of EXAMPLES) {
      const bytes = Buffer.from(text.repeat(30));
      for (const at of [0, 1, 700, 1111, bytes.length])
        expect(textKindOf([bytes.subarray(0, at), bytes.subarray(at)])).toBe(kind);
    }
  });

  test('is that which prevails in a mixed text', () => {
    const data = Buffer.from('0123456789abcdef'.repeat(500)).toString('base64');
    expect(textKindOf([Buffer.from(`Here is the file: ${data}`)])).toBe('base64');
    expect(textKindOf([Buffer.from(prose.repeat(100) + code)])).toBe('prose');
  });
});
