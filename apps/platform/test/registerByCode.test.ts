import { describe, expect, test } from 'vitest';
import { platformFixture } from './platformFixture.ts';
import { type MethodResult, PASSWORD } from './testPlatform.ts';

const heron = platformFixture();
let people = 0;

const address = () => `person${people++}@mail.example`;
const number = () => `138${String(people++).padStart(8, '0')}`;
const set = (settings: string) => heron.database.pool.query(`update accounts.settings set ${settings}`);

async function emailCode(email: string): Promise<string> {
  expect(await heron.send('System.Register.sendRegisterEmailCode', { email })).toMatchObject({ code: 0 });
  return (await heron.codeFor(email)) ?? '';
}
async function phoneCode(mobile: string, method = 'System.Register.sendRegisterMobileCode'): Promise<string> {
  expect(await heron.send(method, { mobile })).toMatchObject({ code: 0, data: { seconds: 120 } });
  return (await heron.codeFor(mobile)) ?? '';
}
const byEmail = (email: string, email_code: string, more = {}) =>
  heron.send('System.Register.emailRegister', { email, password: PASSWORD, email_code, ...more });
const byPhone = (mobile: string, mobile_code: string, more = {}) =>
  heron.send('System.Register.mobileRegister', { mobile, password: PASSWORD, mobile_code, ...more });
const fast = (mobile: string, sms_captcha: string, more = {}) =>
  heron.send('System.Login.mobileLogin', { mobile, sms_captcha, ...more });
const login = (username: string, password = PASSWORD) => heron.send('System.Login.login', { username, password });

describe('by e-mail', () => {
  test('a new member gets code 0 and a session, and the address stays private', async () => {
    const joined = await byEmail('Person.New@Mail.Example', await emailCode('Person.New@mail.example'));
    expect(joined).toMatchObject({
      status: 200,
      code: 0,
      data: {
        token: expect.stringMatching(/^[\w-]{43}$/),
        user_info: { user_email: 'Person.New@mail.example', username: null, nick_name: 'Per****', role: 'member' },
      },
    });
    expect(await login('person.new@MAIL.example')).toMatchObject({ code: 1 });
    expect(await login('Person.New@mail.example', 'another password 7')).toMatchObject({ error: 'login_failed' });
  });

  test('only the owner of the mailbox learns that it is taken', async () => {
    const email = address();
    await byEmail(email, await emailCode(email));
    await heron.expireResendDelay();
    const [known, unknown] = [
      await heron.send('System.Register.sendRegisterEmailCode', { email }),
      await heron.send('System.Register.sendRegisterEmailCode', { email: address() }),
    ];
    expect(known.text).toBe(unknown.text);
    const code = (await heron.codeFor(email)) ?? '';
    expect(await byEmail(email.toUpperCase(), '000000')).toMatchObject({ error: 'code_wrong' });
    expect(await byEmail(email.toUpperCase(), code)).toMatchObject({ status: 409, error: 'email_taken' });
  });

  test.each([
    ['', 'email_empty', 'e-mail not empty'],
    ['   ', 'email_empty', 'e-mail not empty'],
    ['anna', 'email_invalid', 'e-mail format error'],
    ['anna@yahoo.com', 'email_yahoo', 'e-mail yahoo is not good'],
    ['anna@YAHOO.co.jp', 'email_yahoo', 'e-mail yahoo is not good'],
    ['anna@mail.yahoo.com.cn', 'email_yahoo', 'e-mail yahoo is not good'],
  ])('the address %j is rejected: %s', async (email, error, message) => {
    for (const method of ['sendRegisterEmailCode', 'emailRegister', 'CheckRegisterEmailCode']) {
      const refused = await heron.send(`System.Register.${method}`, {
        email,
        password: PASSWORD,
        email_code: '123456',
        code: '123456',
      });
      expect(refused).toMatchObject({ status: 422, error });
      expect(refused.message).toContain(message);
    }
  });

  test.each(['yahoo@mail.example', 'anna@notyahoo.com', 'anna@yahoo.mail.example', 'yahoo.com@mail.example'])(
    'yahoo is rejected as a domain only: %s is accepted',
    async (email) => {
      expect(await heron.send('System.Register.sendRegisterEmailCode', { email })).toMatchObject({ code: 0 });
    },
  );

  test.each(['person.secret9@mail.example', 'Person.Secret9@Mail.Example', 'person.secret9', 'Person.Secret9!!!'])(
    'the own address is no password, nor its name with symbols: %j',
    async (password) => {
      const email = 'person.secret9@mail.example';
      await heron.expireResendDelay();
      expect(await byEmail(email, await emailCode(email), { password })).toMatchObject({ error: 'password_personal' });
    },
  );

  test('an existing referrer is stored', async () => {
    const { user } = await heron.signUp(`bringer${people++}`);
    for (const [source_uid, kept] of [
      [user.uid, user.uid],
      [999_999_999, null],
      [undefined, null],
    ] as const) {
      const email = address();
      expect(await byEmail(email, await emailCode(email), { source_uid })).toMatchObject({ code: 0 });
      const { rows } = await heron.database.pool.query('select source_uid from accounts.users where email = $1', [
        email,
      ]);
      expect(rows).toEqual([{ source_uid: kept }]);
    }
  });

  test('further fields do not change the role', async () => {
    const email = address();
    const more = { group_id: 1, role: 'super_administrator', uid: 100_000_001, phone: '13800000000', balance: '9' };
    const { data } = await byEmail(email, await emailCode(email), more);
    expect(data.user_info).toMatchObject({ group_id: null, role: 'member', user_tel: null, balance: '0.00000000' });
    expect(data.user_info?.uid).not.toBe(100_000_001);
  });
});

describe('by phone', () => {
  test('a new member has the number in any spelling, masked for others', async () => {
    const mobile = number();
    const joined = await byPhone(`+86 ${mobile.slice(0, 3)}-${mobile.slice(3)}`, await phoneCode(mobile));
    expect(joined).toMatchObject({
      code: 0,
      data: { user_info: { user_tel: mobile, username: null, nick_name: `138****${mobile.slice(-4)}` } },
    });
    expect(await login(mobile)).toMatchObject({ code: 1 });
    expect(await login(`0086${mobile}`)).toMatchObject({ code: 1 });
  });

  test('one of ten concurrent registrations with one code succeeds', async () => {
    const mobile = number();
    const code = await phoneCode(mobile);
    const answers = await Promise.all(Array.from({ length: 10 }, () => byPhone(mobile, code)));
    expect(answers.filter((answer) => answer.code === 0)).toHaveLength(1);
    expect(answers.filter(({ error }) => error === 'code_wrong')).toHaveLength(9);
  });

  test.each([
    ['', 'phone_empty', 'phone number not empty'],
    ['12812345678', 'phone_invalid', 'phone format error'],
    ['1381234567', 'phone_invalid', 'phone format error'],
    ['138123456789', 'phone_invalid', 'phone format error'],
    ['+1 415 555 0100', 'phone_invalid', 'phone format error'],
    ['13812345678,13812345679', 'phone_invalid', 'phone format error'],
  ])('the number %j is rejected: %s', async (mobile, error, message) => {
    for (const method of ['System.Register.sendRegisterMobileCode', 'System.Login.sendMobileCode']) {
      const refused = await heron.send(method, { mobile });
      expect(refused).toMatchObject({ status: 422, error });
      expect(refused.message).toBe(message);
    }
  });

  test.each(['13987654321', 'x13987654321', '139-8765-4321!', '+86 139 8765 4321'])(
    'the own number is in no password: %j',
    async (password) => {
      await heron.expireResendDelay();
      expect(await byPhone('13987654321', await phoneCode('13987654321'), { password })).toMatchObject({
        error: 'password_personal',
      });
    },
  );

  test('only the owner of the number learns that it is taken', async () => {
    const mobile = number();
    await byPhone(mobile, await phoneCode(mobile));
    await heron.expireResendDelay();
    expect(await byPhone(mobile, await phoneCode(mobile))).toMatchObject({ status: 409, error: 'phone_taken' });
  });
});

describe('the sign-in by phone', () => {
  const code = (mobile: string) => phoneCode(mobile, 'System.Login.sendMobileCode');

  test('signs in known numbers and registers unknown ones', async () => {
    const mobile = number();
    const first = await fast(mobile, await code(mobile));
    expect(first).toMatchObject({
      code: 1,
      data: { token: expect.anything(), user_info: { user_tel: mobile, has_password: false } },
    });
    await heron.expireResendDelay();
    const second = await fast(mobile, await code(mobile), { session: 'cookie' });
    expect(second).toMatchObject({ code: 1, data: { user_info: { uid: first.data.user_info?.uid } } });
    expect(second.data.token).toBeUndefined();
    expect(second.cookie).toMatch(/^heron_session=/);
  });

  test('creates one account for ten concurrent calls with one code', async () => {
    const mobile = number();
    const typed = await code(mobile);
    const answers = await Promise.all(Array.from({ length: 10 }, () => fast(mobile, typed)));
    expect(answers.filter((answer) => answer.code === 1)).toHaveLength(1);
    expect(answers.filter(({ error }) => error === 'code_wrong')).toHaveLength(9);
    const { rows } = await heron.database.pool.query('select count(*) from accounts.users where phone = $1', [mobile]);
    expect(rows).toEqual([{ count: '1' }]);
  });

  test('does not reveal whether a number is known before the code is correct', async () => {
    const [known, unknown] = [number(), number()];
    await byPhone(known, await phoneCode(known));
    const both = async (ask: (mobile: string) => Promise<MethodResult>) =>
      [await ask(known), await ask(unknown)] as const;
    const sent = await both((mobile) => heron.send('System.Login.sendMobileCode', { mobile }));
    expect(sent[0].text).toBe(sent[1].text);
    const tried = await both((mobile) => fast(mobile, '000000'));
    expect(tried[0].text).toBe(tried[1].text);
    expect(tried[0]).toMatchObject({ error: 'code_wrong' });
  });

  test('requires the second factor of the account', async () => {
    const mobile = number();
    await fast(mobile, await code(mobile));
    await heron.database.pool.query(
      `insert into accounts.totps (user_id, sealed_secret, confirmed_at)
       select id, 'sealed', now() from accounts.users where phone = $1`,
      [mobile],
    );
    await heron.expireResendDelay();
    expect(await fast(mobile, await code(mobile))).toMatchObject({ status: 401, error: 'second_factor_needed' });
  });

  test('rejects a deleted account, informs its owner, and registers no second one', async () => {
    const mobile = number();
    await fast(mobile, await code(mobile));
    await heron.database.pool.query('update accounts.users set deleted_at = now() where phone = $1', [mobile]);
    await heron.expireResendDelay();
    const typed = await code(mobile);
    expect(await fast(mobile, '000000')).toMatchObject({ error: 'code_wrong' });
    // None of these calls uses up the code.
    expect(await fast(mobile, typed, { lang: 'zh' })).toMatchObject({
      status: 403,
      error: 'account_deleted',
      message: expect.stringMatching(/已注销.*\d{4}-\d{2}-\d{2}/),
    });
    expect(await byPhone(mobile, typed)).toMatchObject({ error: 'account_deleted' });
    expect(await fast(mobile, typed)).toMatchObject({ error: 'account_deleted' });
    const { rows } = await heron.database.pool.query('select count(*) from accounts.users where phone = $1', [mobile]);
    expect(rows).toEqual([{ count: '1' }]);
  });
});

describe('one code to a phone', () => {
  test('registers or signs in', async () => {
    const mobile = number();
    await byPhone(mobile, await phoneCode(mobile));
    await heron.expireResendDelay();
    const typed = await phoneCode(mobile);
    expect(await byPhone(mobile, typed)).toMatchObject({ error: 'phone_taken' });
    expect(await fast(mobile, typed)).toMatchObject({ code: 1, data: { user_info: { user_tel: mobile } } });
    expect(await fast(mobile, typed)).toMatchObject({ error: 'code_wrong' });
  });

  test('is requested by either name, with 120 seconds between two', async () => {
    const mobile = number();
    await phoneCode(mobile);
    const again = await heron.send('System.Login.sendMobileCode', { mobile });
    expect(again).toMatchObject({ status: 429, error: 'code_too_soon' });
  });

  test('is used once by concurrent registrations and sign-ins', async () => {
    const mobile = number();
    const typed = await phoneCode(mobile);
    const both = Array.from({ length: 5 }, () => [byPhone(mobile, typed), fast(mobile, typed)]);
    const answers = await Promise.all(both.flat());
    expect(answers.filter(({ error }) => error === null)).toHaveLength(1);
    // All later calls find the code used up.
    expect(answers.filter(({ error }) => error === 'code_wrong')).toHaveLength(9);
    const { rows } = await heron.database.pool.query('select count(*) from accounts.users where phone = $1', [mobile]);
    expect(rows).toEqual([{ count: '1' }]);
  });

  test('does not change an existing account', async () => {
    const mobile = number();
    const joined = await byPhone(mobile, await phoneCode(mobile));
    const own = { authorization: `Bearer ${joined.data.token}` };
    await heron.expireResendDelay();
    const code = await phoneCode(mobile);
    const reset = { account: mobile, password: 'heron flies away 42', type: 'mobile', app_code: code };
    const answers = [
      await heron.send('System.Password.checkFindPasswordCode', { send_type: 'sms', send_param: mobile, code }),
      await heron.send('System.Password.passwordReset', reset),
      await heron.send('System.Member.changeContact', { mobile, code }, own),
      await heron.send('System.Member.deleteAccount', { uid: joined.data.user_info?.uid, code, type: 'sms' }, own),
    ];
    expect(answers.map(({ error }) => error)).toEqual(Array(4).fill('code_wrong'));
    expect(await fast(mobile, code)).toMatchObject({ code: 1 });
  });

  test('is rejected when it was sent for another purpose', async () => {
    const mobile = number();
    await byPhone(mobile, await phoneCode(mobile));
    await heron.send('System.Password.sendFindPasswordCode', { send_param: mobile, type: 'sms' });
    const code = (await heron.codeFor(mobile)) ?? '';
    expect(await fast(mobile, code)).toMatchObject({ error: 'code_wrong' });
    expect(await byPhone(mobile, code)).toMatchObject({ error: 'code_wrong' });
  });
});

describe('methods that an administrator has disabled', () => {
  test('are rejected, even with a code', async () => {
    const [email, mobile] = [address(), number()];
    const [byMail, byNumber] = [await emailCode(email), await phoneCode(mobile)];
    await set('register_by_name = false, register_by_email = false, register_by_phone = false');
    const answers = [
      await heron.send('System.Register.usernameRegister', { username: 'closed', password: PASSWORD }),
      await heron.send('System.Register.sendRegisterEmailCode', { email }),
      await byEmail(email, byMail),
      await byPhone(mobile, byNumber),
    ];
    expect(answers.map(({ error }) => error)).toEqual(Array(4).fill('way_closed'));
    expect((await heron.send('System.Register.rules')).data).toMatchObject({
      register_by_name: false,
      register_by_email: false,
      register_by_phone: false,
      login_by_phone: true,
    });
    await set('register_by_name = true, register_by_email = true, register_by_phone = true');
  });

  test('let the sign-in by phone register nobody, which only the owner learns', async () => {
    const mobile = number();
    await set('register_by_phone = false');
    const typed = await phoneCode(mobile, 'System.Login.sendMobileCode');
    expect(await fast(mobile, '000000')).toMatchObject({ error: 'code_wrong' });
    const refused = await fast(mobile, typed);
    expect(refused).toMatchObject({ status: 404, error: 'phone_unknown', message: 'phone number not exist' });
    await set('register_by_phone = true');
    expect(await fast(mobile, typed)).toMatchObject({ code: 1 });
  });

  test('count accounts of an address, while known numbers still sign in', async () => {
    const [mobile, known] = [number(), number()];
    await fast(known, await phoneCode(known, 'System.Login.sendMobileCode'));
    await heron.expireResendDelay();
    const typed = await phoneCode(mobile, 'System.Login.sendMobileCode');
    await heron.database.pool.query(`update accounts.rate_limits set points = 100 where key like 'register:%'`);
    expect(await fast(mobile, typed)).toMatchObject({ status: 429, error: 'too_many_requests' });
    expect(await fast(known, await phoneCode(known, 'System.Login.sendMobileCode'))).toMatchObject({ code: 1 });
    await heron.resetRateLimits();
    expect(await fast(mobile, typed)).toMatchObject({ code: 1 });
  });

  test('include the sign-in by phone', async () => {
    const mobile = number();
    const typed = await phoneCode(mobile, 'System.Login.sendMobileCode');
    await set('login_by_phone = false');
    expect(await fast(mobile, typed)).toMatchObject({ status: 403, error: 'way_closed' });
    expect(await byPhone(mobile, typed)).toMatchObject({ code: 0 });
    await set('login_by_phone = true');
  });

  test('still send a code while one of its two uses is enabled', async () => {
    const [registering, entering] = ['System.Register.sendRegisterMobileCode', 'System.Login.sendMobileCode'] as const;
    const ask = (method: string) => heron.send(method, { mobile: number() });
    for (const [registers, enters] of [
      [true, false],
      [false, true],
    ]) {
      await set(`register_by_phone = ${registers}, login_by_phone = ${enters}`);
      for (const method of [registering, entering]) expect(await ask(method)).toMatchObject({ code: 0 });
    }
    await set('register_by_phone = false, login_by_phone = false');
    for (const method of [registering, entering]) expect(await ask(method)).toMatchObject({ error: 'way_closed' });
    await set('register_by_phone = true, login_by_phone = true');
  });
});
