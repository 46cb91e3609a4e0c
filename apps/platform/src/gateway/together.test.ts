import { expect, test } from 'vitest';
import { together } from './together.ts';

type Question = { keys: readonly string[] } & PromiseWithResolvers<Map<string, string>>;

/** Questions as they are asked, answered by the test. */
function asked() {
  const questions: Question[] = [];
  let heard = Promise.withResolvers<void>();
  const find = together((keys) => {
    const question = { keys, ...Promise.withResolvers<Map<string, string>>() };
    questions.push(question);
    heard.resolve();
    heard = Promise.withResolvers();
    return question.promise;
  });
  const answer = (at: number, value: string) => {
    const { keys = [], resolve } = questions[at] ?? {};
    resolve?.(new Map(keys.filter((key) => key !== 'unknown').map((key) => [key, value])));
  };
  return { find, questions, answer, next: () => heard.promise };
}

test('calls of one moment are one question, and the same key is asked for once', async () => {
  const { find, questions, answer, next } = asked();
  const found = Promise.all([find('a'), find('b'), find('a'), find('unknown')]);
  await next();
  expect(questions.map(({ keys }) => keys)).toEqual([['a', 'b', 'unknown']]);
  answer(0, 'open');
  expect(await found).toEqual(['open', 'open', 'open', undefined]);
});

test('a call is never answered by a question that began before it', async () => {
  const { find, questions, answer, next } = asked();
  const before = find('a');
  await next();
  const after = find('a');
  await next();
  expect(questions).toHaveLength(2);
  answer(1, 'ended');
  answer(0, 'open');
  expect(await before).toBe('open');
  expect(await after).toBe('ended');
});

test('while two questions are under way, all calls gather into the next', async () => {
  const { find, questions, answer, next } = asked();
  const first = find('a');
  await next();
  const second = find('b');
  await next();
  const rest = Promise.all([find('c'), find('d')]);
  await new Promise(setImmediate);
  expect(questions).toHaveLength(2);
  answer(0, 'open');
  expect(await first).toBe('open');
  expect(questions.map(({ keys }) => keys)).toEqual([['a'], ['b'], ['c', 'd']]);
  answer(1, 'open');
  answer(2, 'open');
  expect(await Promise.all([second, rest])).toEqual(['open', ['open', 'open']]);
});

test('a question that fails fails for those who asked it, and for nobody after them', async () => {
  const { find, questions, answer, next } = asked();
  const failing = find('a');
  await next();
  questions[0]?.reject(new Error('gone'));
  await expect(failing).rejects.toThrow('gone');
  const found = find('a');
  await next();
  answer(1, 'open');
  expect(await found).toBe('open');
});
