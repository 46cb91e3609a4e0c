import { expect, test } from 'vitest';
import { consumeSenders } from './senders.ts';

const ALIYUN = {
  HERON_SMS_PROVIDER: 'aliyun',
  HERON_ALIYUN_ACCESS_KEY_ID: 'LTAI1',
  HERON_ALIYUN_ACCESS_KEY_SECRET: 'aliyun secret',
  HERON_ALIYUN_SIGN_NAME: '苍鹭',
  HERON_ALIYUN_TEMPLATE_CODE: 'SMS_1',
  HERON_ALIYUN_NOTICE_TEMPLATE_CODE: 'SMS_2',
};
const TWILIO = {
  HERON_SMS_PROVIDER: 'twilio',
  HERON_TWILIO_ACCOUNT_SID: 'AC1',
  HERON_TWILIO_AUTH_TOKEN: 'twilio token',
  HERON_TWILIO_FROM: '+15005550006',
};
const SMTP = {
  HERON_SMTP_URL: 'smtps://heron:smtp%20password@mail.example:465',
  HERON_MAIL_FROM: 'Heron <heron@mail.example>',
};

test('without variables there are no senders', async () => {
  expect(await consumeSenders({ PATH: '/bin', HERON_SMTP_URL: '', HERON_SMS_PROVIDER: '' })).toEqual({});
});

test('senders are read from the environment and removed from it', async () => {
  const environment = { PATH: '/bin', ...SMTP, ...ALIYUN };
  expect(await consumeSenders(environment)).toEqual({
    mail: { url: SMTP.HERON_SMTP_URL, from: 'Heron <heron@mail.example>' },
    sms: {
      provider: 'aliyun',
      accessKeyId: 'LTAI1',
      accessKeySecret: 'aliyun secret',
      signName: '苍鹭',
      templateCode: 'SMS_1',
      noticeTemplateCode: 'SMS_2',
    },
  });
  expect(environment).toEqual({ PATH: '/bin' });
});

test('an API address can be replaced, and settings of the other provider are removed', async () => {
  const environment = {
    ...TWILIO,
    HERON_TWILIO_URL: 'https://sms.example',
    HERON_ALIYUN_ACCESS_KEY_SECRET: 'left over',
  };
  expect(await consumeSenders(environment)).toEqual({
    sms: {
      provider: 'twilio',
      accountSid: 'AC1',
      authToken: 'twilio token',
      from: '+15005550006',
      url: 'https://sms.example',
    },
  });
  expect(environment).toEqual({});
});

test('a bot in Telegram needs only its token, with and without other senders', async () => {
  const token = '123456:telegram-token-of-the-bot-0';
  const environment = { HERON_TELEGRAM_TOKEN: token, PATH: '/bin' };
  expect(await consumeSenders(environment)).toEqual({ telegram: { token } });
  expect(environment).toEqual({ PATH: '/bin' });
  const both = { ...TWILIO, HERON_TELEGRAM_TOKEN: token, HERON_TELEGRAM_URL: 'http://127.0.0.1:8081' };
  expect(await consumeSenders(both)).toMatchObject({
    sms: { provider: 'twilio' },
    telegram: { token, url: 'http://127.0.0.1:8081' },
  });
});

test.each([
  ['a mail server without a sender', { HERON_SMTP_URL: SMTP.HERON_SMTP_URL }, 'HERON_MAIL_FROM'],
  ['a sender without a mail server', { HERON_MAIL_FROM: SMTP.HERON_MAIL_FROM }, 'HERON_SMTP_URL'],
  ['another protocol', { ...SMTP, HERON_SMTP_URL: 'https://smtp%20password@mail.example' }, 'HERON_SMTP_URL'],
  ['no address at all', { ...SMTP, HERON_SMTP_URL: 'smtp password' }, 'HERON_SMTP_URL'],
  ['a sender of two lines', { ...SMTP, HERON_MAIL_FROM: 'a@mail.example\r\nBcc: b@mail.example' }, 'HERON_MAIL_FROM'],
  ['an unknown provider', { ...ALIYUN, HERON_SMS_PROVIDER: 'pigeon' }, 'HERON_SMS_PROVIDER'],
  ['keys without a provider', { ...ALIYUN, HERON_SMS_PROVIDER: '' }, 'HERON_SMS_PROVIDER'],
  ['a key that is not there', { ...ALIYUN, HERON_ALIYUN_ACCESS_KEY_SECRET: '' }, 'HERON_ALIYUN_ACCESS_KEY_SECRET'],
  ['a number that is not there', { ...TWILIO, HERON_TWILIO_FROM: '' }, 'HERON_TWILIO_FROM'],
  ['what is no token of a bot', { HERON_TELEGRAM_TOKEN: 'secret of no bot' }, 'HERON_TELEGRAM_TOKEN'],
  ['a bot without a token', { ...TWILIO, HERON_TELEGRAM_URL: 'https://bots.example' }, 'HERON_TELEGRAM_TOKEN'],
  [
    'an account that changes the address',
    { ...TWILIO, HERON_TWILIO_ACCOUNT_SID: 'AC/../x' },
    'HERON_TWILIO_ACCOUNT_SID',
  ],
])('%s is rejected with the name of the variable, not with its value', async (_what, environment, name) => {
  const refusal = consumeSenders(environment);
  await expect(refusal).rejects.toThrow(name);
  await expect(refusal).rejects.not.toThrow(/password|secret|token|pigeon|Bcc/);
});
