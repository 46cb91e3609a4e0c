import { expect, test } from 'vitest';
import { roleOf } from './roles.ts';

test.each([
  [1, 'super_administrator'],
  [2, 'advanced_editor'],
  [3, 'editor'],
  [4, 'teacher'],
  [null, 'member'],
])('the group %s is %s', (group, role) => {
  expect(roleOf(group)).toBe(role);
});

test.each([0, -1, 5, 1.5, Number.NaN])('the group %s, which there is not, is a member', (group) => {
  expect(roleOf(group)).toBe('member');
});
