import { expect, test } from 'vitest';
import { hasRole, mayManage, roleOf } from './roles.ts';

test.each([
  [1, 'super_administrator'],
  [2, 'advanced_editor'],
  [3, 'editor'],
  [4, 'teacher'],
  [null, 'member'],
])('the group %s is %s', (group, role) => {
  expect(roleOf(group)).toBe(role);
});

test.each([0, -1, 5, 1.5, Number.NaN])('the unknown group %s is a member', (group) => {
  expect(roleOf(group)).toBe('member');
});

test.each([
  [1, ['editor', 'super_editor', 'admin']],
  [2, ['editor', 'super_editor']],
  [3, ['editor']],
  [4, []],
  [null, []],
  [0, []],
  [-1, []],
])('the group %s has exactly the levels %j', (group, levels) => {
  expect((['editor', 'super_editor', 'admin'] as const).filter((level) => hasRole(group, level))).toEqual(levels);
});

test.each([
  [1, [2, 3, 4, null]],
  [2, [3, 4, null]],
  [3, [4, null]],
  [4, []],
  [null, []],
  [0, []],
])('the group %s manages only the groups %j', (group, managed) => {
  expect([1, 2, 3, 4, null].filter((other) => mayManage(group, other))).toEqual(managed);
});
