import { beforeEach, expect, test, vi } from 'vitest';

const ADA = { uid: 1, name: 'ada', nickname: 'Ada', basepass: 'a1' };
const BO = { uid: 2, name: 'bo', nickname: 'Bo', basepass: null };

let stored: Map<string, string>;

beforeEach(() => {
  stored = new Map();
  vi.resetModules();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
  });
});

const open = () => import('./savedAccounts.ts');

test('the account that signed in last is first and the only active one', async () => {
  const { saveAccount, savedAccounts } = await open();
  saveAccount(ADA);
  saveAccount(BO);
  expect(savedAccounts().map(({ name, active }) => [name, active])).toEqual([
    ['bo', true],
    ['ada', false],
  ]);
});

test('an account that signs out loses its device token, and others keep theirs', async () => {
  const { deactivateAccounts, saveAccount, savedAccounts } = await open();
  saveAccount({ ...BO, basepass: 'b1' });
  saveAccount(ADA);
  deactivateAccounts();
  expect(savedAccounts()).toEqual([
    { ...ADA, basepass: null, active: false },
    { ...BO, basepass: 'b1', active: false },
  ]);
});

test('a sixth account replaces the oldest', async () => {
  const { saveAccount, savedAccounts } = await open();
  for (let uid = 1; uid <= 6; uid++) saveAccount({ ...ADA, uid });
  expect(savedAccounts().map(({ uid }) => uid)).toEqual([6, 5, 4, 3, 2]);
});

test('a change by another window is not undone', async () => {
  const { forgetBasepass, saveAccount, savedAccounts } = await open();
  saveAccount(BO);
  saveAccount(ADA);
  stored.set('heron.accounts', JSON.stringify([{ ...ADA, basepass: 'a2', active: true }]));
  forgetBasepass(BO.uid);
  expect(savedAccounts()).toEqual([{ ...ADA, basepass: 'a2', active: true }]);
});

test('invalid accounts in the storage are left out', async () => {
  const unknown = { ...BO, logintype: 'magic', active: false };
  stored.set('heron.accounts', JSON.stringify([{ ...ADA, active: true }, { uid: 'x' }, unknown, null, 7]));
  const { savedAccounts } = await open();
  expect(savedAccounts().map(({ uid }) => uid)).toEqual([1]);
});
