import type { ProxySeal } from '@heron/contract/process/proxySeal.ts';
import type { Database } from '@heron/database/connect.ts';
import type { FastifyBaseLogger } from 'fastify';
import type { DisableIntegrations } from '../../gateway/integrationOrigin.ts';
import type { Sessions } from '../../gateway/sessions.ts';
import type { BotLifecycle } from './botLifecycle.ts';
import type { Codes } from './codes.ts';
import type { CountRegistration } from './countRegistration.ts';
import type { LoginThrottle } from './loginThrottle.ts';
import type { Messenger } from './messages.ts';
import type { Providers } from './providers.ts';
import type { SecondFactors } from './secondFactors.ts';
import type { SecretKeys } from './secretKeys.ts';
import type { SecurityAlerts } from './securityAlerts.ts';
import type { SignIn } from './signIn.ts';
import type { SignInFailures } from './signInFailures.ts';

/** Dependencies of the account features. `createAccounts` fills them. */
export type AccountDeps = {
  readonly database: Database;
  readonly sessions: Sessions;
  readonly signIn: SignIn;
  readonly keys: SecretKeys;
  readonly proxySeal: ProxySeal;
  readonly messenger: Messenger;
  readonly codes: Codes;
  readonly countRegistration: CountRegistration;
  readonly throttle: LoginThrottle;
  readonly factors: SecondFactors;
  readonly securityAlerts: SecurityAlerts;
  readonly failures: SignInFailures;
  readonly providers: Providers;
  /** Address that people type, when it differs from the address on which the platform listens. */
  readonly publicUrl: string | null;
  /** Role of the first account that registers by name. */
  readonly firstAccount: 'administrator' | 'member';
  readonly bots: BotLifecycle;
  /** Notifies the paired bot hosts of a user that they are unpaired. Ignores hosts that cannot be reached. */
  readonly unpairHosts: (userId: number) => Promise<void>;
  readonly disableIntegrations: DisableIntegrations;
  readonly log: FastifyBaseLogger;
};
