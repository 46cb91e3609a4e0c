import { expect, test } from 'vitest';
import { registerTypes } from './registerTypes.ts';
import { sourceUid } from './sourceUid.ts';

const ALL = {
  register_by_email: true,
  register_by_phone: true,
  register_by_name: true,
  sends_email: true,
  sends_sms: true,
};

test('phones are asked for only in Chinese', () => {
  expect(registerTypes(ALL, 'zh-CN')).toEqual(['email', 'phone', 'name']);
  expect(registerTypes(ALL, 'en')).toEqual(['email', 'name']);
});

test('ways whose codes reach nobody come after those that work', () => {
  expect(registerTypes({ ...ALL, sends_email: false }, 'zh-CN')).toEqual(['phone', 'name', 'email']);
  expect(registerTypes({ ...ALL, sends_email: false, sends_sms: false }, 'zh-CN')).toEqual(['name', 'email', 'phone']);
});

test('what the installation has closed is not offered', () => {
  expect(registerTypes({ ...ALL, register_by_name: false, register_by_email: false }, 'zh-CN')).toEqual(['phone']);
  expect(registerTypes({ ...ALL, register_by_name: false, register_by_email: false }, 'en')).toEqual([]);
});

test('who brought a visitor is told only by a uid', () => {
  expect(sourceUid('?source_uid=123456789')).toEqual({ source_uid: 123_456_789 });
  for (const search of ['', '?source_uid=1', '?source_uid=x', '?source_uid=0123456789']) {
    expect(sourceUid(search)).toEqual({});
  }
});
