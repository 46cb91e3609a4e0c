import { expect, test } from 'vitest';
import { en } from '../../../locales/en.ts';
import { translator } from '../../../locales/texts.ts';
import { zhCN } from '../../../locales/zh-CN.ts';
import { auditedAct, auditedDetails } from './auditWords.ts';

const english = { t: translator(en, 'en') };
const chinese = { t: translator(zhCN, 'zh-CN') };

test('an act of the audit is told in words, with what belongs to it', () => {
  expect(auditedAct('user.role', english)).toBe('Role changed');
  expect(auditedDetails({ from: null, to: 3 }, english)).toEqual(['Member → Editor']);
  expect(auditedAct('second-factor.add', chinese)).toBe('添加两步验证方式');
  expect(auditedDetails({ kind: 'passkey' }, chinese)).toEqual(['通行密钥']);
  expect(auditedDetails({ provider: 'apple' }, chinese)).toEqual(['苹果账号']);
  expect(auditedDetails({ own: true }, english)).toEqual(['their own']);
});

test('what goes without saying is left out', () => {
  expect(auditedDetails({ own: false, reason: null }, english)).toEqual([]);
});

test('what this client has no words for is shown as it was written down', () => {
  expect(auditedAct('moon.land', english)).toBe('moon.land');
  expect(auditedAct('toString', english)).toBe('toString');
  expect(auditedDetails({ kind: 'iris', password_least: 9 }, english)).toEqual(['iris', 'password_least: 9']);
});
