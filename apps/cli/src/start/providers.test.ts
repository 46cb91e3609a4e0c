import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { consumeProviders } from './providers.ts';

const folder = mkdtempSync(path.join(os.tmpdir(), 'heron-providers-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const PEM = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ type: 'pkcs8', format: 'pem' });
const KEY_FILE = path.join(folder, 'AuthKey.p8');
writeFileSync(KEY_FILE, PEM);
const OTHER_FILE = path.join(folder, 'other.p8');
writeFileSync(OTHER_FILE, 'a private secret');

const WECHAT = { HERON_WECHAT_WEB_APPID: 'wx1', HERON_WECHAT_WEB_SECRET: 'wechat secret' };
const APPLE = {
  HERON_APPLE_TEAM_ID: 'TEAM',
  HERON_APPLE_KEY_ID: 'KEY',
  HERON_APPLE_KEY_FILE: KEY_FILE,
  HERON_APPLE_SERVICES_ID: 'example.heron',
};

test('without variables no provider is enabled', async () => {
  expect(await consumeProviders({ PATH: '/bin', HERON_WECHAT_WEB_APPID: '' })).toEqual({});
});

test('providers come from the environment, their key from its file; both are removed', async () => {
  const environment = { PATH: '/bin', ...WECHAT, ...APPLE, HERON_APPLE_BUNDLE_IDS: 'example.one,example.two' };
  expect(await consumeProviders(environment)).toMatchObject({
    wechat: { web: { appId: 'wx1', secret: 'wechat secret' }, apiUrl: 'https://api.weixin.qq.com' },
    apple: {
      teamId: 'TEAM',
      keyId: 'KEY',
      privateKey: PEM,
      servicesId: 'example.heron',
      bundleIds: ['example.one', 'example.two'],
      url: 'https://appleid.apple.com',
    },
  });
  expect(environment).toEqual({ PATH: '/bin' });
});

test.each([
  ['an app without its secret', { HERON_WECHAT_APP_APPID: 'wx2' }, 'HERON_WECHAT_APP_SECRET'],
  ['a secret without its app', { HERON_WECHAT_WEB_SECRET: 'wechat secret' }, 'HERON_WECHAT_WEB_APPID'],
  ['Apple without a key', { ...APPLE, HERON_APPLE_KEY_FILE: '' }, 'HERON_APPLE_KEY_FILE'],
  ['a file that is not there', { ...APPLE, HERON_APPLE_KEY_FILE: `${folder}/secret-name` }, 'HERON_APPLE_KEY_FILE'],
  ['a file without a key', { ...APPLE, HERON_APPLE_KEY_FILE: OTHER_FILE }, 'HERON_APPLE_KEY_FILE'],
  ['Apple without a team', { ...APPLE, HERON_APPLE_TEAM_ID: '' }, 'HERON_APPLE_TEAM_ID'],
  ['Apple for nobody', { ...APPLE, HERON_APPLE_SERVICES_ID: '' }, 'HERON_APPLE_SERVICES_ID'],
])('%s is rejected with the name of the variable, not with its value', async (_what, environment, name) => {
  const refusal = consumeProviders(environment);
  await expect(refusal).rejects.toThrow(name);
  await expect(refusal).rejects.not.toThrow(/secret-name|wechat secret|a private secret/);
});
