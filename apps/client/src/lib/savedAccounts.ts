import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import { readLocal, storeLocal } from './local.ts';

/** These are the sign-in methods other than a remembered device. */
export const LOGIN_TYPES = ['password', 'code', 'passkey', 'wechat', 'apple'] as const;
export type LoginType = (typeof LOGIN_TYPES)[number];

/**
 * A saved account was used on this device. It holds no password: `basepass` is a token that the server changes at every
 * use.
 *
 */
export interface SavedAccount {
  readonly uid: number;
  /** This is the value for the account field of the sign-in form. */
  readonly name: string;
  /** This phone receives sign-in codes for an account without a password. Every other account omits it. */
  readonly codePhone?: string;
  /** This name is shown on screen. */
  readonly nickname: string;
  /** The address is masked, since others may use this device too. An account without one omits it. */
  readonly email?: string;
  readonly tel?: string;
  /** This is the method of the last sign-in that was not automatic; absent while it is unknown. */
  readonly logintype?: LoginType;
  /** This is the token of the device; null when a password is required each time. */
  readonly basepass: string | null;
  /** This marks the account that is signed in, or was when the page was last open. At most one account is active. */
  readonly active: boolean;
}

const KEY = 'heron.accounts';
/** Only the most recent accounts are stored; older ones are dropped. */
const MAX_ACCOUNTS = 5;

function isSaved(value: unknown): value is SavedAccount {
  const { uid, name, codePhone, nickname, email, tel, logintype, basepass, active } = (value ?? {}) as Partial<
    Record<keyof SavedAccount, unknown>
  >;
  return (
    Number.isSafeInteger(uid) &&
    typeof name === 'string' &&
    [codePhone, email, tel].every((text) => text === undefined || typeof text === 'string') &&
    typeof nickname === 'string' &&
    (logintype === undefined || LOGIN_TYPES.some((type) => type === logintype)) &&
    (basepass === null || typeof basepass === 'string') &&
    typeof active === 'boolean'
  );
}

function read(): readonly SavedAccount[] {
  const stored = readLocal(KEY);
  return Array.isArray(stored) ? stored.filter(isSaved).slice(0, MAX_ACCOUNTS) : [];
}

const store = createStore<{ accounts: readonly SavedAccount[] }>(() => ({ accounts: read() }));

function update(change: (accounts: readonly SavedAccount[]) => readonly SavedAccount[]): void {
  // Another window may have changed the accounts. The server would treat an outdated device token as stolen.
  const accounts = change(read());
  storeLocal(KEY, accounts);
  store.setState({ accounts });
}

export const savedAccounts = (): readonly SavedAccount[] => {
  const accounts = read();
  store.setState({ accounts });
  return accounts;
};

/** Puts an account first and makes it the active one. Without a new sign-in type the account keeps its previous one. */
export function saveAccount(account: Omit<SavedAccount, 'active'>): void {
  update((accounts) => {
    const before = accounts.find(({ uid }) => uid === account.uid)?.logintype;
    return [
      { ...(before !== undefined && { logintype: before }), ...account, active: true },
      ...accounts.filter(({ uid }) => uid !== account.uid).map((other) => ({ ...other, active: false })),
    ].slice(0, MAX_ACCOUNTS);
  });
}

/** Deletes the device token of an account; the account stays in the list. */
export function forgetBasepass(uid: number): void {
  update((accounts) => accounts.map((one) => (one.uid === uid ? { ...one, basepass: null, active: false } : one)));
}

export function forgetAccount(uid: number): void {
  update((accounts) => accounts.filter((one) => one.uid !== uid));
}

/**
 * Makes no account active at sign-out, so that none signs in automatically. The server has revoked the device token of
 * the active one.
 */
export function deactivateAccounts(): void {
  update((accounts) => accounts.map((one) => ({ ...one, basepass: one.active ? null : one.basepass, active: false })));
}

export function useSavedAccounts(): readonly SavedAccount[] {
  return useStore(store, ({ accounts }) => accounts);
}
