import { z } from 'zod';
import type { PlatformConfig } from '../../config.ts';
import { fetchJson } from '../core/fetchJson.ts';
import type { Sender, Sms } from '../core/messages.ts';
import { SendingFailed } from './sendingFailed.ts';

/** A message has a `sid`, an error has a `code`. @see https://www.twilio.com/docs/usage/twilios-response */
const answerSchema = z.object({ sid: z.string().optional(), code: z.number().optional() });

/** Error codes for the phone number: invalid, unreachable, or opted out. */
const NUMBER_REFUSED = new Set([21211, 21214, 21217, 21408, 21610, 21612, 21614]);

type Config = Extract<NonNullable<PlatformConfig['sms']>, { provider: 'twilio' }>;

/** Sends text messages by Twilio, from a number or a messaging service (`MG…`). */
export function createTwilioSender(config: Config): Sender<Sms> {
  const url = `${config.url ?? 'https://api.twilio.com'}/2010-04-01/Accounts/${config.accountSid}/Messages.json`;
  const credentials = Buffer.from(`${config.accountSid}:${config.authToken}`).toString('base64');
  return async ({ to, text }) => {
    const body = new URLSearchParams({
      To: `+86${to}`,
      [config.from.startsWith('MG') ? 'MessagingServiceSid' : 'From']: config.from,
      Body: text,
    });
    const request = { method: 'POST', headers: { authorization: `Basic ${credentials}` }, body } as const;
    const answered = await fetchJson(url, request, answerSchema);
    if (answered === null) throw new SendingFailed('sender', 'no answer');
    const { status, answer } = answered;
    if (status === 201 && answer.sid !== undefined) return;
    const refused = answer.code !== undefined && NUMBER_REFUSED.has(answer.code);
    throw new SendingFailed(refused ? 'recipient' : 'sender', String(answer.code ?? status));
  };
}
