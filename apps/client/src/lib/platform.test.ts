import { expect, test } from 'vitest';
import { platformOf } from './platform.ts';

const ANDROID = 'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 Chrome/140.0 Mobile Safari/537.36';
const IPHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 Safari/604.1';
const MAC = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Safari/605.1.15';

test.each([
  [ANDROID, 5, 'android'],
  [IPHONE, 5, 'ios'],
  [MAC, 0, 'web'],
])('the browser %s is recognised', (userAgent, touchPoints, platform) => {
  expect(platformOf({ userAgent, touchPoints })).toBe(platform);
});

test('an iPad that identifies as a Mac is recognised by its touch points', () => {
  expect(platformOf({ userAgent: MAC, touchPoints: 5 })).toBe('ios');
});

test('the shell overrides the browser inside it', () => {
  expect(platformOf({ userAgent: ANDROID, touchPoints: 5, shell: 'ios' })).toBe('ios');
  expect(platformOf({ userAgent: MAC, touchPoints: 0, shell: 'web' })).toBe('web');
});
