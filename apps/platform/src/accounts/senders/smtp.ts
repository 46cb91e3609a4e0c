import { createTransport } from 'nodemailer';
import type { PlatformConfig } from '../../config.ts';
import type { Email, Sender } from '../core/messages.ts';
import { SendingFailed } from './sendingFailed.ts';

/** A caller waits for the response. */
const TIMEOUT_MS = 10_000;

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/**
 * Sends e-mails by a mail server. Sends a password only over an encrypted connection, except on this machine.
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
    // A message must not refer to files or addresses that the library would fetch.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return async ({ to, subject, text, html }) => {
    try {
      await transport.sendMail({
        from: config.from,
        // An object is one address, while a string is parsed as a list of addresses.
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

/** Keeps the codes only, because errors of nodemailer contain the recipient and the response of the server. */
function toSendingFailed(error: unknown): SendingFailed {
  const { code, responseCode } = error as { code?: unknown; responseCode?: unknown };
  const refused = code === 'EENVELOPE' && typeof responseCode === 'number' && responseCode >= 550 && responseCode < 554;
  const answer = typeof responseCode === 'number' ? ` ${responseCode}` : '';
  return new SendingFailed(refused ? 'recipient' : 'sender', `${typeof code === 'string' ? code : 'unknown'}${answer}`);
}
