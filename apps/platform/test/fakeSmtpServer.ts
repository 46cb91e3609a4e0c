import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

/** A received mail. */
export type ReceivedMail = {
  readonly from: string;
  /** Recipients of the envelope, to whom a server delivers the mail. */
  readonly recipients: readonly string[];
  /** Header lines, unfolded. */
  readonly headers: readonly string[];
  readonly subject: string;
  readonly text: string;
  readonly html: string;
};

/** A mail server on loopback that keeps the mails it receives. */
export type FakeSmtpServer = {
  readonly port: number;
  readonly mails: ReceivedMail[];
  /** Names and passwords that clients have sent. */
  readonly logins: { user: string; password: string }[];
  /** Response code for the next recipients, such as 550 for an unknown mailbox; 250 accepts them. */
  recipientCode: number;
  stop(): Promise<void>;
};

/** @param wants.login accepts mail only after a login, over an unencrypted connection */
export async function startFakeSmtpServer(wants: { login?: boolean; port?: number } = {}): Promise<FakeSmtpServer> {
  const mails: ReceivedMail[] = [];
  const logins: FakeSmtpServer['logins'] = [];
  const server = new SMTPServer({
    authOptional: wants.login !== true,
    allowInsecureAuth: true,
    hideSTARTTLS: true,
    onAuth({ username, password }, _session, done) {
      logins.push({ user: username ?? '', password: password ?? '' });
      done(null, { user: username });
    },
    onRcptTo(_address, _session, done) {
      const code = standIn.recipientCode;
      done(code === 250 ? null : Object.assign(new Error('no such mailbox'), { responseCode: code }));
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope;
        mails.push({
          from: mailFrom === false ? '' : mailFrom.address,
          recipients: rcptTo.map(({ address }) => address),
          ...read(Buffer.concat(chunks).toString()),
        });
        done();
      });
    },
  });
  // A disconnected client is not an error of this server.
  server.on('error', () => {});
  await new Promise<void>((resolve) => server.listen(wants.port ?? 0, '127.0.0.1', resolve));
  const standIn: FakeSmtpServer = {
    port: (server.server.address() as AddressInfo).port,
    mails,
    logins,
    recipientCode: 250,
    stop: () => new Promise((resolve) => server.close(resolve)),
  };
  return standIn;
}

/** Parses a mail with a text and an HTML alternative. */
function read(raw: string): Pick<ReceivedMail, 'headers' | 'subject' | 'text' | 'html'> {
  const [head = '', ...rest] = raw.split('\r\n\r\n');
  const headers = head.replace(/\r\n[ \t]+/g, ' ').split('\r\n');
  const boundary = /boundary="([^"]+)"/.exec(head)?.[1] ?? '';
  const parts = rest.join('\r\n\r\n').split(`--${boundary}`);
  const body = (type: string) => decodeBody(parts.find((part) => part.includes(`Content-Type: ${type}`)) ?? '');
  const subject = headers.find((line) => line.startsWith('Subject: '))?.slice('Subject: '.length) ?? '';
  return { headers, subject: decodeWords(subject), text: body('text/plain'), html: body('text/html') };
}

function decodeBody(part: string): string {
  const [head = '', ...rest] = part.split('\r\n\r\n');
  const body = rest.join('\r\n\r\n');
  if (/Transfer-Encoding: base64/i.test(head)) return Buffer.from(body, 'base64').toString();
  return /Transfer-Encoding: quoted-printable/i.test(head) ? decodeQuoted(body.replace(/=\r\n/g, '')) : body;
}

/** Decodes the encoded words of a header (RFC 2047). */
function decodeWords(text: string): string {
  return text
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?utf-8\?([bq])\?(.*?)\?=/gi, (_, how: string, word: string) =>
      how.toLowerCase() === 'b' ? Buffer.from(word, 'base64').toString() : decodeQuoted(word.replace(/_/g, ' ')),
    );
}

function decodeQuoted(text: string): string {
  const bytes = text.replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString();
}
