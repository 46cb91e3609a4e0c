import { expect, test } from 'vitest';
import { offeredProviders } from './offeredProviders.ts';

const ON = { wechatWeb: true, appleWeb: true };
const PLACE = { language: 'zh-CN', platform: 'web', googlePlay: false } as const;

test('WeChat is offered in Chinese, and not by the build for Google Play', () => {
  expect(offeredProviders(ON, PLACE)).toEqual(['wechat']);
  expect(offeredProviders(ON, { ...PLACE, language: 'en' })).toEqual([]);
  expect(offeredProviders(ON, { ...PLACE, googlePlay: true })).toEqual([]);
});

test('Apple is offered on iOS', () => {
  expect(offeredProviders(ON, { ...PLACE, language: 'en', platform: 'ios' })).toEqual(['apple']);
  expect(offeredProviders(ON, { ...PLACE, language: 'en', platform: 'android' })).toEqual([]);
});

test('a provider that the installation has not enabled is not offered', () => {
  expect(offeredProviders({ wechatWeb: false, appleWeb: false }, { ...PLACE, platform: 'ios' })).toEqual([]);
});
