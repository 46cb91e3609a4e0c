import { expect, test } from 'vitest';
import { referrerUid } from './referrerUid.ts';
import { registerTypes } from './registerTypes.ts';

const ALL = {
  firstAccount: false,
  registerByEmail: true,
  registerByPhone: true,
  registerByName: true,
  sendsEmail: true,
  sendsSms: true,
};

test('registration by phone is offered only in Chinese', () => {
  expect(registerTypes(ALL, 'zh-CN')).toEqual(['email', 'phone', 'name']);
  expect(registerTypes(ALL, 'en')).toEqual(['email', 'name']);
});

test('methods whose codes cannot be sent come after those that work', () => {
  expect(registerTypes({ ...ALL, sendsEmail: false }, 'zh-CN')).toEqual(['phone', 'name', 'email']);
  expect(registerTypes({ ...ALL, sendsEmail: false, sendsSms: false }, 'zh-CN')).toEqual(['name', 'email', 'phone']);
});

test('methods that the installation has disabled are not offered', () => {
  expect(registerTypes({ ...ALL, registerByName: false, registerByEmail: false }, 'zh-CN')).toEqual(['phone']);
  expect(registerTypes({ ...ALL, registerByName: false, registerByEmail: false }, 'en')).toEqual([]);
});

test('the first account registers by name only', () => {
  expect(registerTypes({ ...ALL, firstAccount: true }, 'zh-CN')).toEqual(['name']);
});

test('a referrer is accepted only as a uid', () => {
  expect(referrerUid('?source_uid=123456789')).toEqual({ referrerUid: 123_456_789 });
  for (const search of ['', '?source_uid=1', '?source_uid=x', '?source_uid=0123456789']) {
    expect(referrerUid(search)).toEqual({});
  }
});
