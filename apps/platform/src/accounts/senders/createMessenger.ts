import { CallError } from '@heron/contract/http/errors.ts';
import type { Database } from '@heron/database/connect.ts';
import type { FastifyBaseLogger } from 'fastify';
import type { PlatformConfig } from '../../config.ts';
import type { Messenger, Sender, Sms } from '../core/messages.ts';
import type { SecretKeys } from '../core/secretKeys.ts';
import { createAliyunSender } from './aliyunSms.ts';
import { createOutboxEmailSender, createOutboxSmsSender } from './outbox.ts';
import { SendingFailed } from './sendingFailed.ts';
import { createTwilioSender } from './twilioSms.ts';

/**
 * Sends messages as the installation is configured. Messages without a configured sender are stored in the outbox. Loads the
 * mail library only where a mail server is configured.
 */
export async function createMessenger(
  database: Database,
  keys: SecretKeys,
  config: Pick<PlatformConfig, 'mail' | 'sms'>,
  log: FastifyBaseLogger,
): Promise<Messenger> {
  const email =
    config.mail === undefined
      ? createOutboxEmailSender(database, keys)
      : (await import('./smtp.ts')).createSmtpSender(config.mail);
  const sms = smsSender(config.sms) ?? createOutboxSmsSender(database, keys);
  return {
    sends: {
      email: config.mail !== undefined,
      sms: config.sms !== undefined,
      securityAlerts: config.sms?.provider !== 'aliyun' || config.sms.noticeTemplateCode !== undefined,
    },
    sendEmail: (message) => withErrorReport('email', log, () => email(message)),
    sendSms: (message) => withErrorReport('sms', log, () => sms(message)),
  };
}

function smsSender(config: PlatformConfig['sms']): Sender<Sms> | null {
  if (config === undefined) return null;
  return config.provider === 'aliyun' ? createAliyunSender(config) : createTwilioSender(config);
}

/** Logs why a message could not be sent, but neither its text nor its recipient. */
async function withErrorReport(
  kind: 'email' | 'sms',
  log: FastifyBaseLogger,
  send: () => Promise<void>,
): Promise<void> {
  try {
    await send();
  } catch (error) {
    if (!(error instanceof SendingFailed)) throw error;
    log.warn({ kind, reason: error.reason, provider: error.provider }, 'a message could not be sent');
    throw new CallError(error.reason === 'recipient' ? 'recipient_refused' : 'sending_failed');
  }
}
