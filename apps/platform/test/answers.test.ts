import { accountAliases } from '@heron/contract/accounts/aliases.ts';
import { ALL_METHODS } from '@heron/contract/allMethods.ts';
import { aliasFailure } from '@heron/contract/http/alias.ts';
import { gatewayAnswer, gatewayFailure } from '@heron/contract/http/envelope.ts';
import { ERRORS, errorText, oldErrorText } from '@heron/contract/http/errors.ts';
import { beforeAll, expect, test } from 'vitest';
import { platformFixture } from './platformFixture.ts';

const heron = platformFixture();
let token: string;
beforeAll(async () => {
  ({ token } = await heron.signUp('Answered'));
});

const HAN = /\p{Script=Han}/u;

/** Sign-in methods return a code above zero, and a password reset returns 1. */
const ABOVE_ZERO = [
  'System.Login.login',
  'System.Login.mobileLogin',
  'System.Login.secondFactor',
  'System.Login.wechatLogin',
  'System.Login.snsLogin',
  'System.Device.login',
  'System.Passkey.finishLogin',
  'System.Password.passwordReset',
];

test.each(ALL_METHODS.map(({ name, success }) => [name, success]))('the success code of %s is %i', (name, success) => {
  expect(success).toBe(ABOVE_ZERO.includes(String(name)) ? 1 : 0);
});

test.each(ALL_METHODS.map((method) => [method.name, method] as const))(
  '%s responds in one form, in the caller’s language',
  async (name, method) => {
    for (const [language, sent] of [
      ['en', {}],
      ['zh-CN', {}],
      ['en', { token: 'nobody’s' }],
      ['zh-CN', { token, uid: 'x', ticket: 7, password: [], code: {}, response: 1, id: null, info: {} }],
    ] as const) {
      const answer = await heron.send(name, sent, { 'accept-language': language });
      if (answer.status === 200) {
        expect(gatewayAnswer.parse(JSON.parse(answer.text))).toMatchObject({ code: method.success, message: '' });
        continue;
      }
      const { code, message, data, error } = gatewayFailure.parse(JSON.parse(answer.text));
      expect(code).toBe(-answer.status);
      expect(ERRORS[error.code].status).toBe(answer.status);
      expect(data).toBe('null');
      expect(message).toBe(error.message);
      expect(HAN.test(message), message).toBe(language === 'zh-CN');
    }
  },
);

test.each(accountAliases.map(({ http, path, onlyWith }) => [http, path, onlyWith ?? 'nothing']))(
  '%s %s with %s responds for dialogs and lists, in the caller’s language',
  async (http, path, onlyWith) => {
    for (const language of ['en', 'zh-CN']) {
      const address = `${path.replaceAll(/:\w+/g, '1')}${http === 'GET' ? `?${onlyWith}=1` : ''}`;
      const answer = await heron.request(address, {
        method: http,
        headers: { 'accept-language': language, 'content-type': 'application/json' },
        ...(http === 'GET' ? {} : { body: JSON.stringify({ [onlyWith]: '1' }) }),
      });
      if (answer.status === 200) continue;
      const { code, message, error, error_message } = aliasFailure.parse(JSON.parse(answer.text));
      expect(code).toBe(-answer.status);
      expect(ERRORS[error].status).toBe(answer.status);
      expect(error_message).toBe(message);
      expect(HAN.test(message), message).toBe(language === 'zh-CN');
    }
  },
);

test('every error has a text in both languages, and neither contains the other', () => {
  for (const [code, { zh, en }] of Object.entries(ERRORS)) {
    expect(HAN.test(zh), code).toBe(true);
    expect(HAN.test(en), code).toBe(false);
    expect([...zh.matchAll(/\{\w+\}/g)].map(String).sort(), code).toEqual(
      [...en.matchAll(/\{\w+\}/g)].map(String).sort(),
    );
  }
});

test.each([
  ['account_empty', 'please input e-mail or id'],
  ['password_empty', 'please input password'],
  ['password_mismatch', 'Please input same password!'],
  ['email_empty', 'e-mail not empty'],
  ['phone_empty', 'phone number not empty'],
  ['phone_invalid', 'phone format error'],
  ['code_wrong', 'code error'],
] as const)('%s has the text of the specification for older clients only', (code, text) => {
  expect(oldErrorText(code, 'en')).toContain(text);
  expect(errorText(code, 'en')).not.toContain(text);
  expect(oldErrorText(code, 'zh')).toBe(errorText(code, 'zh'));
});
