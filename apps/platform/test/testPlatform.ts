import { mkdtempSync, rmSync } from 'node:fs';
import { type IncomingHttpHeaders, type OutgoingHttpHeaders, request } from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { Writable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import type { OutboxMessage } from '@heron/contract/accounts/outboxMethods.ts';
import { type Database, openDatabase } from '@heron/database/connect.ts';
import { temporaryDatabase } from '@heron/database/testing/temporaryDatabase.ts';
import { createSecretKeys } from '../src/accounts/core/secretKeys.ts';
import { readOutbox } from '../src/accounts/senders/outbox.ts';
import type { PlatformConfig } from '../src/config.ts';
import { type Platform, startPlatform } from '../src/platform.ts';

export const PASSWORD = 'heron stands still 41';
export const SECRET = 'secret-between-platform-and-bot-host';

export type HttpResponse = { status: number; headers: IncomingHttpHeaders; text: string };
export type RequestInit = { method?: string; headers?: OutgoingHttpHeaders; body?: string | Buffer };

/** Fields of the signed-in user that tests read, with the names that older clients know. */
type OldUser = {
  readonly id: number;
  readonly uid: number;
  readonly username: string | null;
  readonly nick_name: string;
  readonly role: string;
  readonly reg_time: number;
};

/** A platform with its own database and log. */
export type TestPlatform = {
  readonly platform: Platform;
  readonly database: Database;
  readonly databaseUrl: string;
  readonly clientDir: string;
  /** Returns everything logged so far. */
  log(): string;
  /** Sends any request, with full control over its headers. */
  request(path: string, sent?: RequestInit): Promise<HttpResponse>;
  /** Calls a method by the generic send, with the names of fields that older clients know. */
  send(method: string, payload?: object, headers?: OutgoingHttpHeaders): Promise<MethodResult>;
  /** Returns the user of a session, or an error when the token has none. */
  whoAmI(token: string | undefined): Promise<MethodResult>;
  /** Registers a user and returns the token. */
  signUp(name: string): Promise<{ token: string; user: OldUser }>;
  /** Returns the newest code in the outbox for an e-mail address or phone number, or null. */
  codeFor(recipient: string): Promise<string | null>;
  /** Lists the messages in the outbox for an e-mail address or phone number, newest first. */
  messagesFor(recipient: string): Promise<OutboxMessage[]>;
  /** Lists the subjects of the mails in the outbox for an address, newest first. */
  mailsFor(email: string): Promise<string[]>;
  /** Ends the delay of 120 s between two codes. */
  expireResendDelay(): Promise<void>;
  /** Resets all rate limits. */
  resetRateLimits(): Promise<void>;
  stop(): Promise<void>;
};

export type MethodResult = HttpResponse & {
  code: number;
  message: string;
  /** Parsed `data`. */
  data: { token?: string; user_info?: OldUser; [name: string]: unknown };
  /** Code of the error, null on success. */
  error: string | null;
  /** `name=value` of the cookie that was set. */
  cookie: string | null;
};

export async function startTestPlatform(
  given: Partial<PlatformConfig> & Omit<Parameters<typeof startPlatform>[1] & object, 'log'> = {},
): Promise<TestPlatform> {
  const { heartbeatMs, eraseEveryMs, ...config } = given;
  const temporary = await temporaryDatabase();
  const clientDir = config.clientDir ?? mkdtempSync(path.join(os.tmpdir(), 'heron-client-'));
  const lines: string[] = [];
  const log = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk));
      done();
    },
  });
  const platform = await startPlatform(
    {
      databaseUrl: temporary.url,
      host: '127.0.0.1',
      port: 0,
      bothostUrl: 'http://127.0.0.1:1',
      secret: SECRET,
      logLevel: 'trace',
      ...config,
      clientDir,
    },
    {
      log,
      ...(heartbeatMs === undefined ? {} : { heartbeatMs }),
      ...(eraseEveryMs === undefined ? {} : { eraseEveryMs }),
    },
  );
  const database = openDatabase(temporary.url, { connections: 2 });
  const ask = (path: string, sent: RequestInit = {}) => requestAt(platform.url, path, sent);

  async function send(method: string, payload: object = {}, headers: OutgoingHttpHeaders = {}): Promise<MethodResult> {
    const body = JSON.stringify({ method, ...payload });
    const answer = await ask('/api.php', {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
    });
    const { code, message, data, error } = JSON.parse(answer.text);
    const cookie = answer.headers['set-cookie']?.[0]?.split(';')[0] ?? null;
    return { ...answer, code, message, data: JSON.parse(data), error: error?.code ?? null, cookie };
  }

  async function messagesFor(to: string): Promise<OutboxMessage[]> {
    const { messages } = await readOutbox(database.orm, createSecretKeys(SECRET), { page: 1, size: 1_000 });
    return messages.filter(({ recipient }) => recipient === to);
  }

  return {
    platform,
    database,
    databaseUrl: temporary.url,
    clientDir,
    log: () => lines.join(''),
    request: ask,
    send,
    whoAmI: (token) => send('System.Member.memberInfo', {}, bearer(token)),
    async signUp(name) {
      const { data, error } = await send('System.Register.usernameRegister', { username: name, password: PASSWORD });
      if (data?.token === undefined || data.user_info === undefined)
        throw new Error(`${name} could not join: ${error}`);
      return { token: data.token, user: data.user_info };
    },
    messagesFor,
    async codeFor(recipient) {
      return (
        (await messagesFor(recipient))
          .map(({ body }) => /\b\d{6}\b/.exec(body)?.[0])
          .find((code) => code !== undefined) ?? null
      );
    },
    async mailsFor(email) {
      return (await messagesFor(email)).map(({ subject }) => subject);
    },
    async expireResendDelay() {
      await database.pool.query(`update accounts.codes set sent_at = sent_at - interval '120 s'`);
    },
    async resetRateLimits() {
      await database.pool.query('delete from accounts.rate_limits');
    },
    async stop() {
      await database.close();
      await platform.close();
      await temporary.close();
      rmSync(clientDir, { recursive: true, force: true });
    },
  };
}

/** Returns the header that sends the token of a session. @param token absent: a token of no session */
export function bearer(token = ''): { authorization: string } {
  return { authorization: `Bearer ${token}` };
}

export function requestAt(
  url: string,
  path: string,
  { method = 'GET', headers = {}, body }: RequestInit = {},
): Promise<HttpResponse> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const sending = request({ hostname, port, path, method, headers, agent: false }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('error', reject);
      answer.on('end', () =>
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text: Buffer.concat(chunks).toString() }),
      );
    });
    sending.on('error', reject);
    sending.end(body);
  });
}

/** Resolves when a condition holds. It waits between checks, so that the code under test can run. */
export async function until(holds: () => boolean | Promise<boolean>, deadlineMs = 30_000): Promise<void> {
  const late = Date.now() + deadlineMs;
  while (!(await holds())) {
    if (Date.now() > late) throw new Error('it did not happen in time');
    await delay(5);
  }
}
