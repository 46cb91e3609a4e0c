import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import { keepLocal, readLocal } from './local.ts';

/** How a person logged in, other than by a remembered device. */
export const LOGIN_TYPES = ['password', 'code', 'passkey', 'wechat', 'apple'] as const;
export type LoginType = (typeof LOGIN_TYPES)[number];

/**
 * An account that was used on this device. Holds no password: `basepass` is a token that the server changes at every use.
 *
 * @see accounts.md 3, "Saved-account entry"; findings-identity.md, "basepass"
 */
export interface SavedAccount {
  readonly uid: number;
  /** The value for the account field of the sign-in form. */
  readonly name: string;
  /** The phone to log in by a code to, of an account without a password; absent for every other. */
  readonly codePhone?: string;
  /** The name on screen. */
  readonly nickname: string;
  /** Masked, since others may use this device too. Absent for an account without one. */
  readonly email?: string;
  readonly tel?: string;
  /** How its owner has logged in last by hand; absent while that is unknown. */
  readonly logintype?: LoginType;
  /** Token of the device; null when a password is wanted each time. */
  readonly basepass: string | null;
  /** The account that is logged in, or was when the page was last open. At most one. */
  readonly active: boolean;
}

const KEY = 'heron.accounts';
/** More than these are forgotten, the oldest first. */
const MOST = 5;

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
  const kept = readLocal(KEY);
  return Array.isArray(kept) ? kept.filter(isSaved).slice(0, MOST) : [];
}

const store = createStore<{ accounts: readonly SavedAccount[] }>(() => ({ accounts: read() }));

function keep(change: (accounts: readonly SavedAccount[]) => readonly SavedAccount[]): void {
  // Another window may have changed them: a device's token that is out of date would look stolen.
  const accounts = change(read());
  keepLocal(KEY, accounts);
  store.setState({ accounts });
}

export const savedAccounts = (): readonly SavedAccount[] => {
  const accounts = read();
  store.setState({ accounts });
  return accounts;
};

/** Puts an account first and makes it the active one. Without a login type it keeps the one that it had. */
export function saveAccount(account: Omit<SavedAccount, 'active'>): void {
  keep((accounts) => {
    const before = accounts.find(({ uid }) => uid === account.uid)?.logintype;
    return [
      { ...(before !== undefined && { logintype: before }), ...account, active: true },
      ...accounts.filter(({ uid }) => uid !== account.uid).map((other) => ({ ...other, active: false })),
    ].slice(0, MOST);
  });
}

/** The device is not taken for this account any more; its name stays. */
export function forgetBasepass(uid: number): void {
  keep((accounts) => accounts.map((one) => (one.uid === uid ? { ...one, basepass: null, active: false } : one)));
}

export function forgetAccount(uid: number): void {
  keep((accounts) => accounts.filter((one) => one.uid !== uid));
}

/** Log out: no account is active, so that none logs in by itself; the server has forgotten the device of the one that was. @see accounts.md 4 */
export function deactivateAccounts(): void {
  keep((accounts) => accounts.map((one) => ({ ...one, basepass: one.active ? null : one.basepass, active: false })));
}

export function useSavedAccounts(): readonly SavedAccount[] {
  return useStore(store, ({ accounts }) => accounts);
}
