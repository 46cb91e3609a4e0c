import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { PlatformConfig } from '../src/config.ts';
import { addApp } from './authenticatorApp.ts';
import {
  ALIYUN_KEY,
  type FakeSmsProvider,
  startFakeAliyun,
  startFakeTwilio,
  TWILIO_ACCOUNT,
} from './fakeSmsProviders.ts';
import { type FakeSmtpServer, startFakeSmtpServer } from './fakeSmtpServer.ts';
import { startTestPlatform, type TestPlatform, until } from './testPlatform.ts';

const stops: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0).toReversed()) await stop();
});

async function running(config: Partial<PlatformConfig>): Promise<TestPlatform> {
  const heron = await startTestPlatform(config);
  stops.push(() => heron.stop());
  return heron;
}

async function mailServer(wants: Parameters<typeof startFakeSmtpServer>[0] = {}): Promise<FakeSmtpServer> {
  const server = await startFakeSmtpServer(wants);
  stops.push(() => server.stop());
  return server;
}

async function provider(standIn: () => Promise<FakeSmsProvider>): Promise<FakeSmsProvider> {
  const server = await standIn();
  stops.push(() => server.stop());
  return server;
}

const mailBy = (port: number, login = '') => ({
  mail: { url: `smtp://${login}127.0.0.1:${port}`, from: 'Heron 苍鹭 <heron@mail.example>' },
});

describe('e-mails', () => {
  const ask = (heron: TestPlatform, email: string, headers = {}) =>
    heron.send('System.Register.sendRegisterEmailCode', { email }, headers);

  test('have exactly one recipient, plain text and html', async () => {
    const server = await mailServer();
    const heron = await running(mailBy(server.port));
    expect(await ask(heron, 'Ann.Reed+heron@Mail.Example')).toMatchObject({ code: 0 });
    expect(server.mails).toHaveLength(1);
    const [mail] = server.mails;
    expect(mail).toMatchObject({
      from: 'heron@mail.example',
      recipients: ['Ann.Reed+heron@mail.example'],
      subject: 'Your code to register at Heron',
    });
    expect(mail?.headers).toEqual(
      expect.arrayContaining(['To: Ann.Reed+heron@mail.example', 'Auto-Submitted: auto-generated']),
    );
    const code = /^ {4}(\d{6})$/m.exec(mail?.text ?? '')?.[1] ?? '';
    expect(mail?.text).toContain('It works for 10 minutes. Do not share it with anyone.');
    expect(mail?.html).toContain(`<strong>${code}</strong>`);
    expect(mail?.html).toContain('<html lang="en">');
    expect(
      await heron.send('System.Register.CheckRegisterEmailCode', { email: 'ann.reed+heron@mail.example', code }),
    ).toMatchObject({ code: 0 });
    expect(await heron.codeFor('Ann.Reed+heron@mail.example')).toBeNull();
  });

  test('are in the language of the caller', async () => {
    const server = await mailServer();
    const heron = await running(mailBy(server.port));
    await ask(heron, 'anna@mail.example', { 'accept-language': 'zh-CN' });
    expect(server.mails[0]).toMatchObject({ subject: '苍鹭验证码：注册苍鹭账号' });
    expect(server.mails[0]?.text).toMatch(
      /^您好！\n\n您正在注册苍鹭账号，验证码是：\n\n {4}\d{6}\n\n验证码 10 分钟内有效。/,
    );
    expect(server.mails[0]?.html).toContain('<html lang="zh-CN">');
  });

  test('use the login from the URL', async () => {
    const server = await mailServer({ login: true });
    const heron = await running(mailBy(server.port, 'heron%40mail.example:p%40ss%3Aword%2F@'));
    expect(await ask(heron, 'anna@mail.example')).toMatchObject({ code: 0 });
    expect(server.logins).toEqual([{ user: 'heron@mail.example', password: 'p@ss:word/' }]);
  });

  test('send no password to another machine without encryption', async () => {
    const server = await mailServer({ login: true });
    // This address leads to the same machine, but the platform does not know it as local.
    const url = `smtp://heron:password@0.0.0.0:${server.port}`;
    const heron = await running({ mail: { url, from: 'heron@mail.example' } });
    expect(await ask(heron, 'anna@mail.example')).toMatchObject({ status: 503, error: 'sending_failed' });
    expect(server.logins).toEqual([]);
  });

  test('that fail do not count, so that the next one can be sent at once', async () => {
    const gone = await startFakeSmtpServer();
    await gone.stop();
    const heron = await running(mailBy(gone.port));
    const failed = await ask(heron, 'anna@mail.example');
    expect(failed).toMatchObject({ status: 503, code: -503, error: 'sending_failed', data: null });
    expect(failed.message).toBe('The message could not be sent. Try again shortly');
    expect((await heron.database.pool.query('select * from accounts.codes')).rows).toEqual([]);
    for (let n = 0; n < 25; n++)
      expect(await ask(heron, 'anna@mail.example')).toMatchObject({ error: 'sending_failed' });
    const back = await mailServer({ port: gone.port });
    expect(await ask(heron, 'anna@mail.example')).toMatchObject({ code: 0 });
    expect(back.mails).toHaveLength(1);
  });

  test('to a missing mailbox are reported as an error of the caller', async () => {
    const server = await mailServer();
    const heron = await running(mailBy(server.port));
    server.recipientCode = 550;
    expect(await ask(heron, 'nobody@mail.example')).toMatchObject({ status: 422, error: 'recipient_refused' });
    server.recipientCode = 451;
    expect(await ask(heron, 'nobody@mail.example')).toMatchObject({ status: 503, error: 'sending_failed' });
    server.recipientCode = 250;
    expect(await ask(heron, 'nobody@mail.example')).toMatchObject({ code: 0 });
  });

  test('that fail are logged without recipient, text and password', async () => {
    const gone = await startFakeSmtpServer();
    await gone.stop();
    const heron = await running(mailBy(gone.port, 'heron:p4ssw0rd@'));
    await ask(heron, 'anna@mail.example');
    expect(heron.log()).toContain('a message could not be sent');
    expect(heron.log()).toContain('ESOCKET');
    for (const secret of ['anna', 'p4ssw0rd', 'Your code']) expect(heron.log(), secret).not.toContain(secret);
  });
});

describe('an address that could be parsed as another or several', () => {
  let server: FakeSmtpServer;
  let heron: TestPlatform;
  beforeAll(async () => {
    server = await startFakeSmtpServer();
    heron = await startTestPlatform(mailBy(server.port));
  });
  afterAll(async () => {
    await heron.stop();
    await server.stop();
  });

  test.each([
    'anna@mail.example\r\nBcc: victim@mail.example',
    'anna@mail.example\nBcc: victim@mail.example',
    'anna@mail.example\rBcc: victim@mail.example',
    'anna@mail.example\u0000',
    'anna@mail.example\u2028Bcc: victim@mail.example',
    'anna@mail.example,victim@mail.example',
    'anna@mail.example;victim@mail.example',
    'anna@mail.example victim@mail.example',
    '<anna@mail.example>',
    'Anna <victim@mail.example>',
    '"anna"@mail.example',
    'anna(comment)@mail.example',
    'victim@mail.example@mail.example',
    'victim%mail.example@relay.example',
    'mail.example!victim@relay.example',
    '=?utf-8?q?victim=40mail.example=3e?=@mail.example',
    'anna@[127.0.0.1]',
    'anna@localhost',
    'anna@mail.example>\r\nRCPT TO:<victim@mail.example',
    'anna@mail.example\r\n.\r\nMAIL FROM:<x@mail.example>',
    `${'a'.repeat(65)}@mail.example`,
    `anna@${'a'.repeat(250)}.example`,
  ])('gets nothing: %j', async (email) => {
    await heron.resetRateLimits();
    for (const [method, payload] of [
      ['System.Register.sendRegisterEmailCode', { email }],
      ['System.Password.sendFindPasswordCode', { send_param: email, type: 'email' }],
    ] as const) {
      expect(await heron.send(method, payload)).toMatchObject({ status: 422, error: 'email_invalid' });
    }
    expect(server.mails).toEqual([]);
  });
});

describe('text messages', () => {
  const PHONE = '13812345678';
  const ask = (heron: TestPlatform, headers = {}) =>
    heron.send('System.Register.sendRegisterMobileCode', { mobile: '+86 138-1234-5678' }, headers);
  const check = (heron: TestPlatform, code: string) =>
    heron.send('System.Register.checkRegisterMobileCode', { mobile: PHONE, code });
  const aliyun = (url: string, secret = ALIYUN_KEY.secret) => ({
    sms: {
      provider: 'aliyun' as const,
      accessKeyId: ALIYUN_KEY.id,
      accessKeySecret: secret,
      signName: "苍鹭 (Heron)'s *",
      templateCode: 'SMS_154950909',
      url,
    },
  });
  const twilio = (url: string, more = {}) => ({
    sms: {
      provider: 'twilio' as const,
      accountSid: TWILIO_ACCOUNT.sid,
      authToken: TWILIO_ACCOUNT.token,
      from: '+15005550006',
      url,
      ...more,
    },
  });

  test('by Aliyun are signed and contain the code for the template', async () => {
    const service = await provider(startFakeAliyun);
    const heron = await running(aliyun(service.url));
    expect(await ask(heron)).toMatchObject({ code: 0, data: { seconds: 120, sent: true } });
    await heron.expireResendDelay();
    expect(await ask(heron)).toMatchObject({ code: 0 });
    expect(service.refused).toEqual([]);
    const [, sms] = service.accepted;
    expect(sms).toMatchObject({ PhoneNumbers: PHONE, SignName: "苍鹭 (Heron)'s *", TemplateCode: 'SMS_154950909' });
    const { code } = JSON.parse(sms?.TemplateParam ?? '{}');
    expect(await check(heron, code)).toMatchObject({ code: 0 });
  });

  test('by Aliyun have their own template for alerts, or are not sent', async () => {
    const service = await provider(startFakeAliyun);
    const { sms } = aliyun(service.url);
    const notify = async (heron: TestPlatform) => {
      const { token } = await heron.signUp('Reed');
      await heron.database.pool.query('update accounts.users set phone = $1', [PHONE]);
      await addApp(heron, token);
    };
    await notify(await running({ sms }));
    expect(service.accepted).toEqual([]);
    await notify(await running({ sms: { ...sms, noticeTemplateCode: 'SMS_154950910' } }));
    await until(() => service.accepted.length > 0);
    expect(service.accepted[0]).toMatchObject({ PhoneNumbers: PHONE, TemplateCode: 'SMS_154950910' });
    expect(service.accepted[0]).not.toHaveProperty('TemplateParam');
  });

  test('with a wrong signature are rejected by Aliyun, and the caller gets an error', async () => {
    const service = await provider(startFakeAliyun);
    const heron = await running(aliyun(service.url, 'another secret'));
    expect(await ask(heron)).toMatchObject({ status: 503, error: 'sending_failed' });
    expect(service.refused).toEqual(['SignatureDoesNotMatch']);
    expect(service.accepted).toEqual([]);
    expect(heron.log()).toContain('SignatureDoesNotMatch');
    for (const secret of [PHONE, 'another secret']) expect(heron.log()).not.toContain(secret);
  });

  test.each([
    ['isv.MOBILE_NUMBER_ILLEGAL', 422, 'recipient_refused'],
    ['isv.BUSINESS_LIMIT_CONTROL', 422, 'recipient_refused'],
    ['isv.OUT_OF_SERVICE', 503, 'sending_failed'],
    ['isv.SMS_TEMPLATE_ILLEGAL', 503, 'sending_failed'],
  ])('that Aliyun rejects with status 200 are errors: %s', async (failure, status, error) => {
    const service = await provider(startFakeAliyun);
    const heron = await running(aliyun(service.url));
    service.failWith = failure;
    expect(await ask(heron)).toMatchObject({ status, error });
    service.failWith = null;
    expect(await ask(heron)).toMatchObject({ code: 0 });
  });

  test('by Twilio are in the language of the caller', async () => {
    const service = await provider(startFakeTwilio);
    const heron = await running(twilio(service.url));
    expect(await ask(heron, { 'accept-language': 'zh' })).toMatchObject({ code: 0 });
    const [sms] = service.accepted;
    expect(sms).toMatchObject({ To: `+86${PHONE}`, From: '+15005550006' });
    expect(sms?.Body).toMatch(/^【苍鹭】验证码 \d{6}，用于登录或注册苍鹭，10 分钟内有效。请勿告诉他人。$/);
    expect(await check(heron, /\d{6}/.exec(sms?.Body ?? '')?.[0] ?? '')).toMatchObject({ code: 0 });
  });

  test('by Twilio may use a messaging service', async () => {
    const service = await provider(startFakeTwilio);
    const heron = await running(twilio(service.url, { from: 'MGstandin' }));
    await ask(heron);
    expect(service.accepted[0]).toMatchObject({ MessagingServiceSid: 'MGstandin' });
    expect(service.accepted[0]).not.toHaveProperty('From');
  });

  test('with a wrong token are rejected by Twilio, and the caller gets an error', async () => {
    const service = await provider(startFakeTwilio);
    const heron = await running(twilio(service.url, { authToken: 'another token' }));
    expect(await ask(heron)).toMatchObject({ status: 503, error: 'sending_failed' });
    expect(service.refused).toEqual(['20003']);
    for (const secret of [PHONE, 'another token', Buffer.from('another token').toString('base64')]) {
      expect(heron.log()).not.toContain(secret);
    }
  });

  test.each([
    ['21610', 422, 'recipient_refused'],
    ['21614', 422, 'recipient_refused'],
    ['30001', 503, 'sending_failed'],
  ])('that Twilio rejects are errors: %s', async (failure, status, error) => {
    const service = await provider(startFakeTwilio);
    const heron = await running(twilio(service.url));
    service.failWith = failure;
    expect(await ask(heron)).toMatchObject({ status, error });
  });

  test('never send credentials to a redirect', async () => {
    const [service, elsewhere] = [await provider(startFakeTwilio), await provider(startFakeTwilio)];
    const heron = await running(twilio(service.url));
    service.redirectTo = `${elsewhere.url}/2010-04-01/Accounts/${TWILIO_ACCOUNT.sid}/Messages.json`;
    expect(await ask(heron)).toMatchObject({ error: 'sending_failed' });
    expect(elsewhere.accepted).toEqual([]);
  });

  test('of an unreachable provider are errors', async () => {
    const service = await startFakeAliyun();
    await service.stop();
    const heron = await running(aliyun(service.url));
    expect(await ask(heron)).toMatchObject({ status: 503, error: 'sending_failed' });
  });
});
