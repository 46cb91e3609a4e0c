import { afterAll, beforeAll } from 'vitest';
import { TELEGRAM_TOKEN, type TelegramStandIn, telegramStandIn } from '../src/testing/telegramStandIn.ts';
import { type WebReceiver, webReceiver } from '../src/testing/webReceiver.ts';
import { type BotHostStandIn, standIn } from './botHostStandIn.ts';
import { type Machine, machine } from './pairedMachine.ts';
import { platformGround } from './platformGround.ts';

/** Stand-ins for everything that an owner can connect to an account. They run while the tests of a file run. */
export interface Integrations {
  /** The installation's own bot host. */
  own: BotHostStandIn;
  /** A machine with a bot host to be paired. */
  theirs: Machine;
  /** Receives webhooks. */
  receiver: WebReceiver;
  telegram: TelegramStandIn;
}

/** Starts a platform with everything that can be connected to an account, for the tests of this file. */
export function startIntegrations() {
  // Filled before the first test runs.
  const integrations = {} as Integrations;
  beforeAll(async () => {
    const [own, theirs, receiver, telegram] = await Promise.all([
      standIn(),
      machine(),
      webReceiver(),
      telegramStandIn(),
    ]);
    Object.assign(integrations, { own, theirs, receiver, telegram });
  });
  afterAll(async () => {
    const { own, theirs, receiver, telegram } = integrations;
    theirs.close();
    await Promise.all([own.stop(), receiver.stop(), telegram.stop()]);
  });
  const heron = platformGround(() => ({
    ...{ bothostUrl: integrations.own.url, notifyPrivate: true },
    telegram: { token: TELEGRAM_TOKEN, url: integrations.telegram.url },
  }));
  return { heron, integrations };
}
