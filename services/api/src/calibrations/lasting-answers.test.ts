import { expect, test, vi } from 'vitest';
import { LastingAnswers } from './lasting-answers.js';

test('whoever asks meanwhile gets the same answer, and it is found out once', async () => {
  const answers = new LastingAnswers<string, number>({ lastMs: 60_000, maxKeys: 10 });
  const find = vi.fn(async () => 7);
  expect(await Promise.all([answers.get('a', find), answers.get('a', find)])).toEqual([7, 7]);
  expect(await answers.get('a', find)).toBe(7);
  expect(find).toHaveBeenCalledTimes(1);
});

test('is found out again when it is over, forgotten or failed, and when others have taken its place', async () => {
  const find = vi.fn(async () => 7);
  const over = new LastingAnswers<string, number>({ lastMs: 0, maxKeys: 10 });
  await over.get('a', find);
  await over.get('a', find);
  expect(find).toHaveBeenCalledTimes(2);

  const answers = new LastingAnswers<string, number>({ lastMs: 60_000, maxKeys: 2 });
  await expect(answers.get('a', () => Promise.reject(new Error('away')))).rejects.toThrow('away');
  for (const key of ['a', 'b', 'c', 'a']) await answers.get(key, find);
  expect(find).toHaveBeenCalledTimes(6);
  answers.forget('a');
  await answers.get('a', find);
  answers.forgetAll();
  await answers.get('a', find);
  expect(find).toHaveBeenCalledTimes(8);
});
