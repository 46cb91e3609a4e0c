import process from 'node:process';
import type { PlatformConfig } from '@heron/platform/config.ts';
import { consumeVariable, consumeVariables, isAnySet } from './consumeVariables.ts';

/** Senders of e-mail, text messages and Telegram messages. */
export type Senders = Pick<PlatformConfig, 'mail' | 'sms' | 'telegram'>;

const MAIL = { url: 'HERON_SMTP_URL', from: 'HERON_MAIL_FROM' };
const TELEGRAM = { token: 'HERON_TELEGRAM_TOKEN', url: 'HERON_TELEGRAM_URL' };
const PROVIDER = 'HERON_SMS_PROVIDER';
const SMS = {
  aliyun: {
    accessKeyId: 'HERON_ALIYUN_ACCESS_KEY_ID',
    accessKeySecret: 'HERON_ALIYUN_ACCESS_KEY_SECRET',
    signName: 'HERON_ALIYUN_SIGN_NAME',
    templateCode: 'HERON_ALIYUN_TEMPLATE_CODE',
    noticeTemplateCode: 'HERON_ALIYUN_NOTICE_TEMPLATE_CODE',
    url: 'HERON_ALIYUN_URL',
  },
  twilio: {
    accountSid: 'HERON_TWILIO_ACCOUNT_SID',
    authToken: 'HERON_TWILIO_AUTH_TOKEN',
    from: 'HERON_TWILIO_FROM',
    url: 'HERON_TWILIO_URL',
  },
};

/**
 * Reads the senders from environment variables and removes those, because child processes inherit the environment.
 *
 * @throws Error that names the variable, but never its value
 */
export async function consumeSenders(environment: NodeJS.ProcessEnv = process.env): Promise<Senders> {
  const provider = consumeVariable(environment, PROVIDER);
  const mail = consumeVariables(environment, MAIL);
  const telegram = consumeVariables(environment, TELEGRAM);
  const sms = { aliyun: consumeVariables(environment, SMS.aliyun), twilio: consumeVariables(environment, SMS.twilio) };
  if (provider === undefined && (isAnySet(sms.aliyun) || isAnySet(sms.twilio))) {
    throw new Error(`Set ${PROVIDER} to aliyun or twilio.`);
  }
  if (provider !== undefined && provider !== 'aliyun' && provider !== 'twilio') {
    throw new Error(`${PROVIDER} must be aliyun or twilio.`);
  }
  if (provider === undefined && !isAnySet(mail) && !isAnySet(telegram)) return {};
  const { platformConfig } = await import('@heron/platform/config.ts');
  const read = platformConfig.pick({ mail: true, sms: true, telegram: true }).safeParse({
    ...(isAnySet(mail) ? { mail } : {}),
    ...(isAnySet(telegram) ? { telegram } : {}),
    ...(provider === undefined ? {} : { sms: { provider, ...sms[provider] } }),
  });
  if (read.success) return read.data;
  const [kind, field] = read.error.issues[0]?.path ?? [];
  const sender = kind === 'telegram' ? TELEGRAM : MAIL;
  const names: Readonly<Record<string, string>> = kind === 'sms' && provider !== undefined ? SMS[provider] : sender;
  throw new Error(`${names[String(field)]} is missing or invalid. A message service needs all of its variables.`);
}
