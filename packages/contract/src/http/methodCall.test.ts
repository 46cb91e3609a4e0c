import { expect, test } from 'vitest';
import { z } from 'zod';
import { accountMethods } from '../accounts/methods.ts';
import { ALL_METHODS } from '../allMethods.ts';
import { methodCall } from './methodCall.ts';

test('the typed call of a method derives from its declaration', () => {
  const { deleteUser } = accountMethods;
  expect(methodCall(deleteUser)).toEqual({
    method: 'POST',
    path: '/api/user/delete',
    summary: deleteUser.summary,
    body: deleteUser.payload,
    response: deleteUser.data,
    timeoutMs: deleteUser.timeoutMs,
  });
  expect(methodCall(accountMethods.endOtherSessions)).not.toHaveProperty('timeoutMs');
});

test('every method has a path of its own with two plain segments', () => {
  const paths = ALL_METHODS.map((method) => methodCall(method).path);
  for (const path of paths) expect(path).toMatch(/^\/api\/[a-z][A-Za-z]*\/[a-z][A-Za-z]*$/);
  expect(new Set(paths.map((path) => path.toLowerCase())).size).toBe(ALL_METHODS.length);
});

test('payload and data of every method are objects', () => {
  for (const { name, payload, data } of ALL_METHODS) {
    expect(payload, name).toBeInstanceOf(z.ZodObject);
    expect(data, name).toBeInstanceOf(z.ZodObject);
  }
});
