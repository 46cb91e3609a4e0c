import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { PlatformConfig } from '../../config.ts';
import { fetchJson } from '../core/fetchJson.ts';
import type { Sender, Sms } from '../core/messages.ts';
import { signAliyunCall } from './aliyunSignature.ts';
import { SendingFailed } from './sendingFailed.ts';

/** Failures arrive with status 200 too: only the code `OK` is a success. */
const answerSchema = z.object({ Code: z.string() });

/** Failures that are about this number. @see https://help.aliyun.com/document_detail/101346.html */
const NUMBER_REFUSED = new Set([
  'isv.MOBILE_NUMBER_ILLEGAL',
  'isv.BLACK_KEY_CONTROL_LIMIT',
  'isv.BUSINESS_LIMIT_CONTROL',
]);

type Config = Extract<NonNullable<PlatformConfig['sms']>, { provider: 'aliyun' }>;

/**
 * Sends by Alibaba Cloud (`SendSms`), whose approved template has one variable, `code`; that of notices has none and says the
 * same of all of them.
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
