import type { ProxySeal } from '@heron/contract/process/proxySeal.ts';
import type { Database } from '@heron/database/connect.ts';
import type { FastifyBaseLogger } from 'fastify';
import type { DisableIntegrations } from '../gateway/addedBy.ts';
import type { Sessions } from '../gateway/sessions.ts';
import type { BotKeeper } from './botKeeper.ts';
import { type Codes, createCodes } from './codes/codes.ts';
import { createEntrance, type Entrance } from './entrance.ts';
import { createLoginThrottle, type LoginThrottle } from './loginThrottle.ts';
import { createFailureWatch, type FailureWatch } from './notices/failureWatch.ts';
import { createNotices, type Notices } from './notices/notices.ts';
import type { Providers } from './providers/providers.ts';
import { type CountRegistration, createCountRegistration } from './registration/countRegistration.ts';
import { createSecondFactors, type SecondFactors } from './secondFactor/proveSecondFactor.ts';
import type { SecretKeys } from './secretKeys.ts';
import type { Messenger } from './senders/messenger.ts';

/** What all of accounts stands on. */
export type Accounts = {
  readonly database: Database;
  readonly sessions: Sessions;
  readonly entrance: Entrance;
  readonly keys: SecretKeys;
  readonly proxySeal: ProxySeal;
  readonly messenger: Messenger;
  readonly codes: Codes;
  readonly countRegistration: CountRegistration;
  readonly throttle: LoginThrottle;
  readonly factors: SecondFactors;
  readonly notices: Notices;
  readonly failures: FailureWatch;
  readonly providers: Providers;
  /** Address that people type when it is not the one listened on. */
  readonly publicUrl: string | null;
  readonly bots: BotKeeper;
  /** Tells the bot hosts that somebody runs on machines of their own that they are not paired any more, if they can be told. */
  readonly leaveHosts: (userId: number) => Promise<void>;
  readonly disableIntegrations: DisableIntegrations;
  readonly log: FastifyBaseLogger;
};

export function createAccounts(on: {
  database: Database;
  /** The same one, hastily: for the tries of passwords. */
  counters: Database;
  sessions: Sessions;
  keys: SecretKeys;
  proxySeal: ProxySeal;
  messenger: Messenger;
  providers: Providers;
  publicUrl: string | null;
  bots: BotKeeper;
  leaveHosts(userId: number): Promise<void>;
  disableIntegrations: DisableIntegrations;
  log: FastifyBaseLogger;
}): Accounts {
  const { counters, database, sessions, keys, messenger } = on;
  const notices = createNotices(database, messenger);
  const throttle = createLoginThrottle(counters);
  return {
    ...on,
    notices,
    failures: createFailureWatch(database, notices),
    entrance: createEntrance({ database, sessions, notices, throttle }),
    codes: createCodes(database, keys, messenger),
    countRegistration: createCountRegistration(database),
    throttle,
    factors: createSecondFactors({ ...on, notices }),
  };
}
