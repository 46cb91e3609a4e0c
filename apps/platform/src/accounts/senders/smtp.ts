import { createTransport } from 'nodemailer';
import type { PlatformConfig } from '../../config.ts';
import type { Email, Sender } from '../core/messages.ts';
import { SendingFailed } from './sendingFailed.ts';

/** A caller waits for the answer. */
const TIMEOUT_MS = 10_000;

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/**
 * Sends by a mail server. A password is never sent over a line that is not encrypted, except to this machine itself.
 *
 * @param config.url such as `smtps://name:password@mail.example:465`
 */
export function createSmtpSender(config: NonNullable<PlatformConfig['mail']>): Sender<Email> {
  const url = new URL(config.url);
  const transport = createTransport({
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: Number(url.port) || (url.protocol === 'smtps:' ? 465 : 587),
    secure: url.protocol === 'smtps:',
    requireTLS: url.username !== '' && !LOOPBACK.test(url.hostname),
    ...(url.username === ''
      ? {}
      : { auth: { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) } }),
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
    dnsTimeout: TIMEOUT_MS,
    // Only our own words are sent: nothing in a message may name a file or an address to be fetched.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return async ({ to, subject, text, html }) => {
    try {
      await transport.sendMail({
        from: config.from,
        // As an object it is taken as it is, not read as a list of addresses.
        to: { name: '', address: to },
        subject,
        text,
        html,
        headers: { 'Auto-Submitted': 'auto-generated' },
      });
    } catch (error) {
      throw toSendingFailed(error);
    }
  };
}

/** nodemailer's errors hold the recipient and what the server answered: only the codes are kept. */
function toSendingFailed(error: unknown): SendingFailed {
  const { code, responseCode } = error as { code?: unknown; responseCode?: unknown };
  const refused = code === 'EENVELOPE' && typeof responseCode === 'number' && responseCode >= 550 && responseCode < 554;
  const answer = typeof responseCode === 'number' ? ` ${responseCode}` : '';
  return new SendingFailed(refused ? 'recipient' : 'sender', `${typeof code === 'string' ? code : 'unknown'}${answer}`);
}
