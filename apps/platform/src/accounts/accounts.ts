import type { ProxySeal } from '@heron/contract/process/proxySeal.ts';
import type { Database } from '@heron/database/connect.ts';
import type { FastifyBaseLogger } from 'fastify';
import type { DisableIntegrations } from '../gateway/integrationOrigin.ts';
import type { Sessions } from '../gateway/sessions.ts';
import { createCodes } from './codes/createCodes.ts';
import type { AccountDeps } from './core/accountDeps.ts';
import type { BotLifecycle } from './core/botLifecycle.ts';
import { createCountRegistration } from './core/countRegistration.ts';
import type { Messenger } from './core/messages.ts';
import type { Providers } from './core/providers.ts';
import type { SecretKeys } from './core/secretKeys.ts';
import { createSecondFactors } from './secondFactors/createSecondFactors.ts';
import { createSecurityAlerts } from './securityAlerts/createSecurityAlerts.ts';
import { createSignInFailures } from './securityAlerts/createSignInFailures.ts';
import { createLoginThrottle } from './signIn/createLoginThrottle.ts';
import { createSignIn } from './signIn/createSignIn.ts';

export function createAccounts(deps: {
  database: Database;
  /** The same database without `synchronous_commit`, for counters of password attempts. */
  counters: Database;
  sessions: Sessions;
  keys: SecretKeys;
  proxySeal: ProxySeal;
  messenger: Messenger;
  providers: Providers;
  publicUrl: string | null;
  firstAccount: AccountDeps['firstAccount'];
  bots: BotLifecycle;
  unpairHosts(userId: number): Promise<void>;
  disableIntegrations: DisableIntegrations;
  log: FastifyBaseLogger;
}): AccountDeps {
  const { counters, database, sessions, keys, messenger } = deps;
  const securityAlerts = createSecurityAlerts(database, messenger);
  const throttle = createLoginThrottle(counters);
  return {
    ...deps,
    securityAlerts,
    failures: createSignInFailures(database, securityAlerts),
    signIn: createSignIn({ database, sessions, securityAlerts, throttle }),
    codes: createCodes(database, keys, messenger),
    countRegistration: createCountRegistration(database),
    throttle,
    factors: createSecondFactors({ ...deps, securityAlerts }),
  };
}
