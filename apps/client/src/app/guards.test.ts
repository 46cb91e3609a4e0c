import type { CurrentUser } from '@heron/contract/accounts/entities.ts';
import { describe, expect, test } from 'vitest';
import type { Session } from '../lib/session.ts';
import { admit, normalisePath, returnPath } from './guards.ts';

const visitor: Session = { state: 'anonymous' };
const member: Session = { state: 'member', user: {} as CurrentUser };

describe('a visitor', () => {
  test('is led to the login screen, which remembers where they were going', () => {
    expect(admit('/bot/abc123/', visitor)).toBe('/user-login/?to=%2Fbot%2Fabc123%2F');
    expect(admit('/', visitor)).toBe('/user-login/');
  });

  test('may log in, register, set up and see settings', () => {
    for (const path of ['/user-login/', '/user-register/', '/setup/some-token/', '/setting-index/']) {
      expect(admit(path, visitor)).toBe(path);
    }
  });
});

describe('a member', () => {
  test('goes where they want, with the trailing slash of the specification', () => {
    expect(admit('/bot/abc123', member)).toBe('/bot/abc123/');
    expect(admit('/', member)).toBe('/bots/');
  });

  test('at the login screen is led to where they were going', () => {
    expect(admit('/user-login/?to=%2Fbot%2Fabc123%2F', member)).toBe('/bot/abc123/');
    expect(admit('/user-register/', member)).toBe('/bots/');
  });
});

test('a return path leads nowhere but into this app, and not to the login screen again', () => {
  for (const to of [
    'https://evil.example/',
    '//evil.example/',
    '/\\evil.example',
    'javascript:alert(1)',
    '/user-login/',
  ]) {
    expect(returnPath(`/user-login/?to=${encodeURIComponent(to)}`)).toBe('/bots/');
  }
});

test('a query stays behind the slash', () => {
  expect(normalisePath('/bot-add?from=x')).toBe('/bot-add/?from=x');
});
