import { beforeEach, expect, test, vi } from 'vitest';

const ADA = { uid: 1, name: 'ada', nickname: 'Ada', basepass: 'a1' };
const BO = { uid: 2, name: 'bo', nickname: 'Bo', basepass: null };

let kept: Map<string, string>;

beforeEach(() => {
  kept = new Map();
  vi.resetModules();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
  });
});

const open = () => import('./savedAccounts.ts');

test('the account that logged in last comes first and is the only active one', async () => {
  const { saveAccount, savedAccounts } = await open();
  saveAccount(ADA);
  saveAccount(BO);
  expect(savedAccounts().map(({ name, active }) => [name, active])).toEqual([
    ['bo', true],
    ['ada', false],
  ]);
});

test('who logs out does not log in again by itself, and others keep their devices', async () => {
  const { deactivateAccounts, saveAccount, savedAccounts } = await open();
  saveAccount({ ...BO, basepass: 'b1' });
  saveAccount(ADA);
  deactivateAccounts();
  expect(savedAccounts()).toEqual([
    { ...ADA, basepass: null, active: false },
    { ...BO, basepass: 'b1', active: false },
  ]);
});

test('a sixth account takes the place of the oldest', async () => {
  const { saveAccount, savedAccounts } = await open();
  for (let uid = 1; uid <= 6; uid++) saveAccount({ ...ADA, uid });
  expect(savedAccounts().map(({ uid }) => uid)).toEqual([6, 5, 4, 3, 2]);
});

test('a change by another window is not undone', async () => {
  const { forgetBasepass, saveAccount, savedAccounts } = await open();
  saveAccount(BO);
  saveAccount(ADA);
  kept.set('heron.accounts', JSON.stringify([{ ...ADA, basepass: 'a2', active: true }]));
  forgetBasepass(BO.uid);
  expect(savedAccounts()).toEqual([{ ...ADA, basepass: 'a2', active: true }]);
});

test('what is no account in the storage is left out', async () => {
  const unknown = { ...BO, logintype: 'magic', active: false };
  kept.set('heron.accounts', JSON.stringify([{ ...ADA, active: true }, { uid: 'x' }, unknown, null, 7]));
  const { savedAccounts } = await open();
  expect(savedAccounts().map(({ uid }) => uid)).toEqual([1]);
});
