import type { CurrentUser } from '@heron/contract/accounts/entities.ts';
import { describe, expect, test } from 'vitest';
import type { Session } from '../lib/session.ts';
import { admit, normalisePath, refusal, returnPath } from './guards.ts';

const visitor: Session = { state: 'anonymous' };
const member = withGroup(null);

function withGroup(groupId: number | null): Session {
  return { state: 'member', user: { groupId } as CurrentUser };
}

describe('a visitor', () => {
  test('gets the login screen, whose address keeps the requested page', () => {
    expect(admit('/bot/abc123/', visitor)).toBe('/user-login/?to=%2Fbot%2Fabc123%2F');
    expect(admit('/', visitor)).toBe('/user-login/');
  });

  test('may sign in, register, recover a password, set up and see settings', () => {
    for (const path of [
      '/user-login/',
      '/user-login/wechat/?code=c&state=s',
      '/user-login/apple/#code=c&state=s',
      '/user-register/',
      '/user-forget-password/',
      '/user-forget-password-tel/',
      '/user-forget-password-email/',
      '/user-forget-password-reset/',
      '/setup/some-token/',
      '/setting-index/',
      '/setting-privacy/',
    ]) {
      expect(admit(path, visitor)).toBe(path);
    }
  });
});

describe('a member', () => {
  test('opens the requested page, with the trailing slash of the specification', () => {
    expect(admit('/bot/abc123', member)).toBe('/bot/abc123/');
    expect(admit('/', member)).toBe('/bots/');
  });

  test('returns from a provider after linking an account', () => {
    expect(admit('/user-login/wechat/?code=c&state=s', member)).toBe('/user-login/wechat/?code=c&state=s');
  });

  test('leaves the login screen for the requested page', () => {
    expect(admit('/user-login/?to=%2Fbot%2Fabc123%2F', member)).toBe('/bot/abc123/');
    expect(admit('/user-register/', member)).toBe('/bots/');
  });
});

test('a visitor gets the login screen for a page of members, whatever role it needs', () => {
  expect(admit('/user-edit-password/', visitor)).toBe('/user-login/?to=%2Fuser-edit-password%2F');
  expect(admit('/manage-users/', visitor)).toBe('/user-login/?to=%2Fmanage-users%2F');
  expect(refusal('/manage-users/', visitor)).toBeNull();
});

describe('the list of users', () => {
  test.each([1, 2, 3])('opens to the group %s', (group) => {
    expect(refusal('/manage-users', withGroup(group))).toBeNull();
  });

  test.each([4, null, 0])('is closed to the group %s', (group) => {
    expect(refusal('/manage-users/?x=1', withGroup(group))).toBe('editor');
  });
});

test('editors cannot open pages of super administrators', () => {
  for (const path of ['/manage-outbox/', '/manage-proxies/', '/manage-settings/', '/manage-audit/']) {
    expect(refusal(path, withGroup(1))).toBeNull();
    expect(refusal(path, withGroup(2))).toBe('admin');
  }
});

test('a return path leads only into this app, and never to the login screen', () => {
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

test('a query follows the trailing slash', () => {
  expect(normalisePath('/bot-add?from=x')).toBe('/bot-add/?from=x');
});
