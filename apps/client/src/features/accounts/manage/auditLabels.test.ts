import { expect, test } from 'vitest';
import { loadTexts } from '../../../locales/loadTexts.ts';
import { translator } from '../../../locales/texts.ts';
import { auditedAct, auditedDetails } from './auditLabels.ts';

const english = { t: translator(await loadTexts('en', 'all'), 'en') };
const chinese = { t: translator(await loadTexts('zh-CN', 'all'), 'zh-CN') };

test('an entry of the audit log is shown in words, with its details', () => {
  expect(auditedAct('user.role', english)).toBe('Role changed');
  expect(auditedDetails({ from: null, to: 3 }, english)).toEqual(['Member → User manager']);
  expect(auditedAct('second-factor.add', chinese)).toBe('添加两步验证方式');
  expect(auditedDetails({ kind: 'passkey' }, chinese)).toEqual(['通行密钥']);
  expect(auditedDetails({ provider: 'apple' }, chinese)).toEqual(['苹果账号']);
  expect(auditedDetails({ own: true }, english)).toEqual(['their own']);
});

test('settings of the installation have the names of their screen', () => {
  const details = { register_by_email: false, session_in_address: true, password_least: 9 };
  expect(auditedDetails(details, chinese)).toEqual([
    '开放邮箱注册：关闭',
    '允许在网址中传递会话令牌：开启',
    '密码最短长度：9',
  ]);
  expect(auditedDetails({ login_by_phone: true }, english)).toEqual(['Log in by phone code: on']);
});

test('an account that was restored because its bots did not stop shows the reason', () => {
  expect(auditedDetails({ bots: true }, chinese)).toEqual(['有机器人未能停止']);
  expect(auditedDetails({ bots: true }, english)).toEqual(['a bot could not be stopped']);
});

test('empty and false details are left out', () => {
  expect(auditedDetails({ own: false, reason: null }, english)).toEqual([]);
});

test('unknown acts and details are shown as stored', () => {
  expect(auditedAct('moon.land', english)).toBe('moon.land');
  expect(auditedAct('toString', english)).toBe('toString');
  expect(auditedDetails({ kind: 'iris', moons: 9 }, english)).toEqual(['iris', 'moons: 9']);
});
