import type { AccountEvent, AccountStream, TradingExchange } from '@heron/exchanges/trading.ts';

/** An account of an exchange, shared by all bots that trade on it. */
export interface SharedAccount {
  readonly trading: TradingExchange;
  /** Adds a listener to the account stream, which all bots of the account share. @returns removes the listener */
  listen(listener: (event: AccountEvent) => void): () => void;
  /** Connects the account stream at once when it waits after a refusal of the key. */
  retryStream(): void;
  /** Whether the account stream is connected. */
  connected(): boolean;
}

/** The accounts in use, by the id of their key. */
export interface Accounts {
  /** Opens the account unless it is open. Every `acquire` needs a `release`. */
  acquire(owner: string, keyId: string): Promise<SharedAccount>;
  release(keyId: string): Promise<void>;
  close(): Promise<void>;
}

interface OpenedAccount {
  users: number;
  readonly account: Promise<SharedAccount & { close(): Promise<void> }>;
}

/** @param open signs in with a key of the vault */
export function openAccounts(open: (owner: string, keyId: string) => Promise<TradingExchange>): Accounts {
  const openedAccounts = new Map<string, OpenedAccount>();

  async function openAccount(owner: string, keyId: string): Promise<SharedAccount & { close(): Promise<void> }> {
    const trading = await open(owner, keyId);
    const listeners = new Set<(event: AccountEvent) => void>();
    let up = false;
    const stream: AccountStream = trading.stream((event) => {
      if (event.type === 'connected') up = true;
      if (event.type === 'lost') up = false;
      for (const listener of listeners) listener(event);
    });
    return {
      trading,
      listen(listener) {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
      retryStream: () => stream.retry(),
      connected: () => up,
      async close() {
        await stream.close();
        await trading.close();
      },
    };
  }

  async function drop(keyId: string, entry: OpenedAccount): Promise<void> {
    if (openedAccounts.get(keyId) === entry) openedAccounts.delete(keyId);
    await entry.account.then(
      (account) => account.close(),
      () => {},
    );
  }

  return {
    async acquire(owner, keyId) {
      const entry = openedAccounts.get(keyId) ?? { users: 0, account: openAccount(owner, keyId) };
      openedAccounts.set(keyId, entry);
      entry.users += 1;
      try {
        return await entry.account;
      } catch (error) {
        // The next `acquire` opens the account again.
        if (openedAccounts.get(keyId) === entry) openedAccounts.delete(keyId);
        throw error;
      }
    },
    async release(keyId) {
      const entry = openedAccounts.get(keyId);
      if (entry === undefined) return;
      entry.users -= 1;
      if (entry.users === 0) await drop(keyId, entry);
    },
    async close() {
      await Promise.all([...openedAccounts].map(([keyId, entry]) => drop(keyId, entry)));
    },
  };
}
