import { afterAll, beforeAll } from 'vitest';
import { type FakeTelegram, startFakeTelegram, TELEGRAM_TOKEN } from '../src/testing/fakeTelegram.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../src/testing/webhookReceiver.ts';
import { type FakeBotHost, startFakeBotHost } from './fakeBotHost.ts';
import { type FakeMachine, startFakeMachine } from './fakeMachine.ts';
import { platformFixture } from './platformFixture.ts';

/** Fakes of everything that an owner can connect to an account. They run while the tests of a file run. */
export interface Integrations {
  /** The own bot host of the installation. */
  own: FakeBotHost;
  /** A machine with a bot host that can be paired. */
  theirs: FakeMachine;
  /** Receives webhooks. */
  receiver: WebhookReceiver;
  telegram: FakeTelegram;
}

/** Starts a platform with everything that can be connected to an account, for the tests of this file. */
export function startIntegrations() {
  // `beforeAll` fills this before the first test runs.
  const integrations = {} as Integrations;
  beforeAll(async () => {
    const [own, theirs, receiver, telegram] = await Promise.all([
      startFakeBotHost(),
      startFakeMachine(),
      startWebhookReceiver(),
      startFakeTelegram(),
    ]);
    Object.assign(integrations, { own, theirs, receiver, telegram });
  });
  afterAll(async () => {
    const { own, theirs, receiver, telegram } = integrations;
    theirs.close();
    await Promise.all([own.stop(), receiver.stop(), telegram.stop()]);
  });
  const heron = platformFixture(() => ({
    ...{ bothostUrl: integrations.own.url, notifyPrivate: true },
    telegram: { token: TELEGRAM_TOKEN, url: integrations.telegram.url },
  }));
  return { heron, integrations };
}
