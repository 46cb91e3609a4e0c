import { describe, expect, test } from 'vitest';
import { deviceLanguage, resolveDisplay } from './display.ts';

describe('the default display settings of a device', () => {
  test('are in Chinese if the device is, and otherwise in English', () => {
    expect(deviceLanguage('zh-TW')).toBe('zh-CN');
    expect(deviceLanguage('ZH')).toBe('zh-CN');
    expect(deviceLanguage('fr-FR')).toBe('en');
    expect(deviceLanguage('C')).toBe('en');
  });

  test('use red for gains in Chinese and green in English', () => {
    expect(resolveDisplay({}, { language: 'zh-CN', dark: false })).toEqual({
      language: 'zh-CN',
      theme: 'light',
      up: 'red',
      accent: 'blue',
      bar: 'empty',
    });
    expect(resolveDisplay({}, { language: 'en-GB', dark: true })).toMatchObject({
      language: 'en',
      theme: 'dark',
      up: 'green',
    });
  });
});

test('choices of the user override the device', () => {
  const chosen = { language: 'en', theme: 'light', up: 'red', accent: 'violet', bar: 'fill' } as const;
  expect(resolveDisplay(chosen, { language: 'zh-CN', dark: true })).toEqual(chosen);
});
