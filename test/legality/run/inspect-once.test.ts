import { TextRange } from '@preflight/core';
import type { InspectedFile, Pool } from '@preflight/pool';
import { expect, it } from 'vitest';
import { inspectOnce } from './inspect-once.js';

it('a file is looked at once, and no other is taken for it', async () => {
  const seen: InspectedFile[] = [];
  const pool = {
    inspectAll: async (files: readonly InspectedFile[]) => {
      seen.push(...files);
      return files.map(({ data, kind }) => ({ data, kind }));
    },
  } as unknown as Pool;
  const inspectAll = inspectOnce(pool);
  const bytes = () => new TextRange(new SharedArrayBuffer(4), 0, 4);
  const first = bytes();
  const files: InspectedFile[] = [
    { data: first, form: 'encoded' },
    { data: first, form: 'encoded', kind: 'image' },
    { data: new TextRange(first.buffer, 0, 3), form: 'encoded' },
    { data: bytes(), form: 'encoded' },
    { data: 'ab', form: 'encoded' },
    { data: 'ac', form: 'encoded' },
  ];
  const expected = files.map(({ data, kind }) => ({ data, kind }));
  expect(await inspectAll(files)).toEqual(expected);
  expect(await inspectAll(files.map((file) => ({ ...file })))).toEqual(expected);
  expect(seen).toEqual(files);
});
