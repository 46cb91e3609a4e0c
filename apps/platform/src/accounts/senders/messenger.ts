import { CallError } from '@heron/contract/http/errors.ts';
import type { Database } from '@heron/database/connect.ts';
import type { FastifyBaseLogger } from 'fastify';
import type { PlatformConfig } from '../../config.ts';
import type { SecretKeys } from '../secretKeys.ts';
import { sendByAliyun } from './aliyunSms.ts';
import { emailToOutbox, smsToOutbox } from './outbox.ts';
import { SendingFailed } from './sendingFailed.ts';
import { sendBySmtp } from './smtp.ts';
import { sendByTwilio } from './twilioSms.ts';

/** A mail. Both bodies say the same. */
export type Email = {
  /** From `parseEmail`, which lets no second address and no line break through. */
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
};

/** A short message: a code, or a notice. */
export type Sms = {
  /** From `parsePhone`. */
  readonly to: string;
  /** For providers that take any text. */
  readonly text: string;
  /** For providers that put it into a text which they have approved; null for a notice. */
  readonly code: string | null;
};

/** Sends one kind of message. @throws SendingFailed */
export type Sender<Message> = (message: Message) => Promise<void>;

/** Sends to people what they must receive. */
export type Messenger = {
  /** What is sent to people; the rest is kept in the outbox. */
  readonly sends: {
    readonly email: boolean;
    readonly sms: boolean;
    /** Notices go by short message, too. Not so where only approved texts are sent, and none for notices is. */
    readonly notices: boolean;
  };
  /** @throws CallError `sending_failed`, `recipient_refused` */
  sendEmail(email: Email): Promise<void>;
  /** @throws CallError `sending_failed`, `recipient_refused` */
  sendSms(sms: Sms): Promise<void>;
};

/** Sends as the installation is configured; what it has no sender for goes to the outbox. */
export function createMessenger(
  database: Database,
  keys: SecretKeys,
  config: Pick<PlatformConfig, 'mail' | 'sms'>,
  log: FastifyBaseLogger,
): Messenger {
  const email = config.mail === undefined ? emailToOutbox(database, keys) : sendBySmtp(config.mail);
  const sms = smsSender(config.sms) ?? smsToOutbox(database, keys);
  return {
    sends: {
      email: config.mail !== undefined,
      sms: config.sms !== undefined,
      notices: config.sms?.provider !== 'aliyun' || config.sms.noticeTemplateCode !== undefined,
    },
    sendEmail: (message) => telling('email', log, () => email(message)),
    sendSms: (message) => telling('sms', log, () => sms(message)),
  };
}

function smsSender(config: PlatformConfig['sms']): Sender<Sms> | null {
  if (config === undefined) return null;
  return config.provider === 'aliyun' ? sendByAliyun(config) : sendByTwilio(config);
}

/** Logs why something could not be sent, never what and to whom, and tells the caller what to do about it. */
async function telling(kind: 'email' | 'sms', log: FastifyBaseLogger, send: () => Promise<void>): Promise<void> {
  try {
    await send();
  } catch (error) {
    if (!(error instanceof SendingFailed)) throw error;
    log.warn({ kind, reason: error.reason, provider: error.provider }, 'a message could not be sent');
    throw new CallError(error.reason === 'recipient' ? 'recipient_refused' : 'sending_failed');
  }
}
