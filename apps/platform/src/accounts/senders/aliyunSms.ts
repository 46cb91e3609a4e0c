import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { PlatformConfig } from '../../config.ts';
import { fetchJson } from '../core/fetchJson.ts';
import type { Sender, Sms } from '../core/messages.ts';
import { signAliyunCall } from './aliyunSignature.ts';
import { SendingFailed } from './sendingFailed.ts';

/** Errors have status 200 too. Only the code `OK` means success. */
const answerSchema = z.object({ Code: z.string() });

/** Error codes for the phone number. @see https://help.aliyun.com/document_detail/101346.html */
const NUMBER_REFUSED = new Set([
  'isv.MOBILE_NUMBER_ILLEGAL',
  'isv.BLACK_KEY_CONTROL_LIMIT',
  'isv.BUSINESS_LIMIT_CONTROL',
]);

type Config = Extract<NonNullable<PlatformConfig['sms']>, { provider: 'aliyun' }>;

/**
 * Sends text messages by Alibaba Cloud (`SendSms`). The approved template for codes has one variable, `code`; the
 * template for security alerts has none.
 */
export function createAliyunSender(config: Config): Sender<Sms> {
  return async (message) => {
    const { url, headers } = signAliyunCall(
      {
        url: config.url ?? 'https://dysmsapi.aliyuncs.com',
        action: 'SendSms',
        version: '2017-05-25',
        parameters: {
          PhoneNumbers: message.to,
          SignName: config.signName,
          ...templateOf(config, message.code),
        },
        nonce: randomUUID(),
        at: new Date(),
      },
      { id: config.accessKeyId, secret: config.accessKeySecret },
    );
    const code = (await fetchJson(url, { method: 'POST', headers }, answerSchema))?.answer.Code ?? 'no answer';
    if (code === 'OK') return;
    throw new SendingFailed(NUMBER_REFUSED.has(code) ? 'recipient' : 'sender', code);
  };
}

function templateOf(config: Config, code: string | null): Record<string, string> {
  if (code !== null) return { TemplateCode: config.templateCode, TemplateParam: JSON.stringify({ code }) };
  if (config.noticeTemplateCode === undefined) throw new SendingFailed('sender', 'no template for notices');
  return { TemplateCode: config.noticeTemplateCode };
}
