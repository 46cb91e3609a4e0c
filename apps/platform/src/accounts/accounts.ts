import type { Database } from '@heron/database/connect.ts';
import type { Sessions } from '../gateway/sessions.ts';
import { createEntrance, type Entrance } from './entrance.ts';
import { type SecretKeys, secretKeys } from './secretKeys.ts';

/** What all of accounts stands on. */
export type Accounts = {
  readonly database: Database;
  readonly sessions: Sessions;
  readonly entrance: Entrance;
  readonly keys: SecretKeys;
};

/** @param secret of the installation */
export function createAccounts(database: Database, sessions: Sessions, secret: string): Accounts {
  return { database, sessions, entrance: createEntrance(database, sessions), keys: secretKeys(secret) };
}
