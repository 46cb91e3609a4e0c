import type { Request, Route } from 'playwright-core';
import { expect, test } from 'vitest';
import { field, PASSWORD } from './appTestbed.ts';
import { screens } from './browser.ts';
import { checkPage } from './checkPage.ts';
import { button, isFocused, pageTestbed, signIn } from './pageTestbed.ts';
import { call, enableTotp, newestCode, registerUser, totp } from './userRequests.ts';

const NEW_PASSWORD = 'still water 88';

const { testbed, administratorToken, open, requestCode, fillCodeInChinese, signInByPhoneCodeInChinese } = pageTestbed();

test.for(screens('desktop'))(
  'a user registers by e-mail and recovers a forgotten password by code, on a $name',
  async ({ name, screen }) => {
    const email = `ada.${name}@example.org`;
    const page = await open('/user-register/', screen);
    await page.getByRole('tab', { name: 'E-mail' }).click();
    await field(page, 'E-mail').fill('ada@yahoo.com');
    await button(page, 'Send code').click();
    await page.getByText('Yahoo mailboxes often miss our codes').waitFor();
    await field(page, 'E-mail').fill(email);
    await button(page, 'Send code').click();
    await page.getByRole('button', { name: /^Resend in \d+ s$/ }).waitFor();
    await page.getByText('This Heron sends no messages yet').waitFor();
    expect(await button(page, 'Register').isDisabled()).toBe(true);
    await field(page, 'Code').fill('000000');
    await page.getByText('Incorrect or expired verification code').waitFor();
    await checkPage(page, `${name}-register-email`);

    // The countdown and the address persist after the page is left.
    await page.goto(`${testbed.heron.url}/user-login/`);
    await page.goto(`${testbed.heron.url}/user-register/`);
    await page.getByRole('tab', { name: 'E-mail' }).click();
    await page.getByRole('button', { name: /^Resend in \d+ s$/ }).waitFor();
    expect(await field(page, 'E-mail').inputValue()).toBe(email);
    const code = await newestCode(testbed.heron, administratorToken(), email);
    await field(page, 'Code').fill(` ${code.slice(0, 3)} ${code.slice(3)} `);
    await page.getByRole('status').getByText('The code is correct').waitFor();
    await field(page, 'Password').fill('short');
    await button(page, 'Register').click();
    await page.getByText('Use at least 8 characters').waitFor();
    await field(page, 'Password').fill(PASSWORD);
    await button(page, 'Register').click();
    await page.getByText('No bots yet').waitFor();

    const other = await open('/user-login/?to=%2Fsetting-about%2F', screen);
    await other.getByRole('link', { name: 'Forgot password?' }).click();
    await field(other, 'Phone number or e-mail').fill('nonsense');
    await button(other, 'Next').click();
    await other.getByText('Invalid phone number format').waitFor();
    await checkPage(other, `${name}-forgot`);
    await field(other, 'Phone number or e-mail').fill(email);
    await button(other, 'Next').click();
    await other.waitForURL('**/user-forget-password-email/**');
    const recoveryCode = await requestCode(other, email);
    await checkPage(other, `${name}-forgot-email`);
    await field(other, 'Code').fill(recoveryCode);
    await other.getByText('The code is correct').waitFor();
    await button(other, 'Next').click();
    await other.waitForURL('**/user-forget-password-reset/**');
    await field(other, 'New password').fill(NEW_PASSWORD);
    await field(other, 'Confirm new password').fill('something else');
    await button(other, 'Set password').click();
    await other.getByText('Passwords do not match').waitFor();
    await checkPage(other, `${name}-forgot-reset`);
    await field(other, 'Confirm new password').fill(NEW_PASSWORD);
    await button(other, 'Set password').click();
    await other.waitForURL('**/user-login/**');
    expect(await field(other, 'Account').inputValue()).toBe(email);
    await signIn(other, email, NEW_PASSWORD);
    // The login continues to the page that the user wanted.
    await other.waitForURL('**/setting-about/');

    // The new password has ended the previous session.
    await page.goto(`${testbed.heron.url}/bots/`);
    await page.waitForURL('**/user-login/');
  },
);

test.for(screens('phone'))(
  'a login returns to the requested page and remembers the account name, on a $name',
  async ({ name, screen }) => {
    const visitor = `Wade_${name}`;
    await registerUser(testbed.heron, visitor);
    const page = await open('/user-sessions/', screen);
    await page.waitForURL('**/user-login/?to=**');
    await button(page, 'Log in').click();
    await page.getByText('Enter your e-mail or ID').waitFor();
    await page.getByText('Enter your password').waitFor();
    expect(await isFocused(field(page, 'Account'))).toBe(true);
    await checkPage(page, `${name}-login-empty`);
    await field(page, 'Account').fill(visitor);
    await field(page, 'Password').fill('wrong password');
    await button(page, 'Log in').click();
    await page.getByText('Incorrect account or password').waitFor();
    await field(page, 'Password').fill(PASSWORD);
    await page.getByRole('checkbox', { name: 'Stay logged in' }).check();
    await button(page, 'Log in').click();
    await page.waitForURL('**/user-sessions/');
    await page.getByText('This session').first().waitFor();
    await checkPage(page, `${name}-sessions`);

    // Without the cookie, the remembered device signs in by itself.
    await page.context().clearCookies();
    await page.goto(`${testbed.heron.url}/bots/`);
    await page.getByText('No bots yet').waitFor();

    // After a logout the device no longer signs in by itself, but still shows the account name.
    await page.goto(`${testbed.heron.url}/setting-index/`);
    await button(page, 'Log out').click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Log out' }).click();
    await page.waitForURL('**/user-login/**');
    await page.reload();
    await page
      .getByRole('button', { name: new RegExp(visitor) })
      .first()
      .click();
    expect(await field(page, 'Account').inputValue()).toBe(visitor);
    await checkPage(page, `${name}-login-saved`);
  },
);

test.for(screens('desktop'))(
  'in Chinese a user registers by phone and logs in by code alone, on a $name',
  async ({ name, screen }) => {
    const phone = name === 'phone' ? '13800138001' : '13800138002';
    const page = await open('/user-register/', { ...screen, locale: 'zh-CN', colorScheme: 'dark' });
    await page.getByRole('tab', { name: '手机注册' }).click();
    await field(page, '手机号').fill('1380013');
    await button(page, '获取验证码').click();
    await page.getByText('手机号格式不正确').waitFor();
    await field(page, '手机号').fill(phone);
    await fillCodeInChinese(page, phone);
    await page.getByText('验证码正确').waitFor();
    await field(page, '密码').fill(PASSWORD);
    await checkPage(page, `${name}-register-phone-zh-dark`);
    await button(page, '注册').click();
    await page.getByText('还没有机器人').waitFor();

    const other = await open('/user-login/', { ...screen, locale: 'zh-CN', colorScheme: 'dark' });
    await other.getByRole('tab', { name: '快捷登录' }).click();
    await field(other, '手机号').fill(phone);
    await button(other, '获取验证码').click();
    await other.getByRole('button', { name: /秒后重发/ }).waitFor();
    await checkPage(other, `${name}-login-fast-zh-dark`);
    const code = await newestCode(testbed.heron, administratorToken(), phone);
    await field(other, '验证码').fill(code === '000000' ? '000001' : '000000');
    await other.getByText('验证码错误').waitFor();
    expect(await button(other, '登录').isDisabled()).toBe(true);
    await field(other, '验证码').fill(code);
    await other.getByText('验证码正确').waitFor();
    await button(other, '登录').click();
    await other.getByText('还没有机器人').waitFor();
    await other.goto(`${testbed.heron.url}/setting-index/`);
    await button(other, '退出登录').waitFor();
    await checkPage(other, `${name}-settings-member-zh-dark`);
    await other.goto(`${testbed.heron.url}/user-contact/`);
    await other
      .locator('#stage')
      .getByText(`${phone.slice(0, 3)}****${phone.slice(-4)}`)
      .waitFor();
    await checkPage(other, `${name}-contact-zh-dark`);
  },
);

test('in English neither phone tab is shown', async () => {
  const page = await open('/user-login/');
  await button(page, 'Log in').waitFor();
  expect(await page.getByRole('tab').count()).toBe(0);
  await page.getByRole('link', { name: 'Register now' }).click();
  await page.getByRole('tab', { name: 'Name' }).waitFor();
  expect(await page.getByRole('tab').allTextContents()).toEqual(['Name', 'E-mail']);
});

test('an Android phone asks for privacy consent at first run and before registration', async () => {
  const page = await open('/user-register/', {
    viewport: { width: 390, height: 844 },
    userAgent:
      'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Mobile Safari/537.36',
  });
  await button(page, 'Do not agree').click();
  await page.getByText('Without your consent Heron cannot be used').waitFor();
  await button(page, 'Read it again').click();
  await checkPage(page, 'android-privacy');
  await button(page, 'Agree').click();
  await page.getByRole('tab', { name: 'Name' }).click();
  await field(page, 'Name').fill('Android_1');
  await field(page, 'Password').fill(PASSWORD);
  await field(page, 'Confirm password').fill(PASSWORD);
  await button(page, 'Register').click();
  await page.getByText('Agree to privacy and terms first').waitFor();
  await checkPage(page, 'android-consent');
  await page.getByRole('checkbox', { name: /I agree/ }).check();
  await button(page, 'Register').click();
  await page.getByText('No bots yet').waitFor();
  await page.reload();
  await page.getByText('No bots yet').waitFor();
  expect(await page.getByRole('alertdialog').count()).toBe(0);
});

test('an iPhone asks for consent again until the user agrees', async () => {
  const page = await open('/user-login/', {
    viewport: { width: 390, height: 844 },
    userAgent:
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1',
  });
  await button(page, 'Do not agree').click();
  await page.getByText('Without your consent Heron cannot be used').waitFor();
  await checkPage(page, 'iphone-privacy-refused');
  // Escape does not bypass the agreement.
  await page.keyboard.press('Escape');
  await button(page, 'Agree').waitFor();
  await page.reload();
  await page.getByRole('alertdialog').getByText('Privacy', { exact: true }).click();
  await checkPage(page, 'iphone-privacy');
  await button(page, 'Agree').click();
  await page.reload();
  await button(page, 'Log in').waitFor();
  expect(await page.getByRole('alertdialog').count()).toBe(0);
});

test('a cancelled or unavailable provider login shows its reason', async () => {
  const page = await open('/user-login/wechat/?state=s');
  await page.getByText('Cancelled').waitFor();
  await checkPage(page, 'provider-cancelled');
  await page.getByRole('link', { name: 'Back' }).click();
  await page.waitForURL('**/user-login/');
  const other = await open('/user-login/apple/#code=c&state=s');
  await other.getByText('This login method is not enabled').waitFor();
});

test('a provider login goes through the second factor to the requested page', async () => {
  const person = 'Roam_1';
  await registerUser(testbed.heron, person);
  const { secret } = await enableTotp(testbed.heron, person);

  const page = await open('/user-login/');
  // The test replaces WeChat's login, which identifies the person, by a password login of the same person.
  await page.route('**/api/login/wechatLogin', async (route) => {
    const url = route.request().url().replace('wechatLogin', 'login');
    await route.continue({
      url,
      postData: JSON.stringify({ username: person, password: PASSWORD, session: 'cookie' }),
    });
  });
  await page.evaluate(() => {
    const providerLogin = { what: 'login', next: '/user-login/?to=%2Fuser-sessions%2F', remember: true };
    sessionStorage.setItem('heron.provider', JSON.stringify(providerLogin));
  });
  await page.goto(`${testbed.heron.url}/user-login/wechat/?code=c&state=s`);
  await field(page, 'Code from the app').fill(totp(secret, Date.now() + 30_000));
  await button(page, 'Log in').click();
  await page.waitForURL('**/user-sessions/');
  await page.getByText('Remembered devices').waitFor();
});

test('linking a provider long after the login needs a new proof of identity', async () => {
  const person = 'Link_1';
  await registerUser(testbed.heron, person);
  const page = await open('/user-login/');
  await page.getByRole('checkbox', { name: 'Stay logged in' }).check();
  await signIn(page, person, PASSWORD);
  await page.getByText('No bots yet').waitFor();
  await page.evaluate(() =>
    sessionStorage.setItem('heron.provider', JSON.stringify({ what: 'link', next: '/user-identities/' })),
  );
  // A session that a remembered device started by itself is no proof of identity.
  await page.context().clearCookies();
  await page.goto(`${testbed.heron.url}/user-login/wechat/?code=c&state=s`);
  await page.getByText('Verify your identity').waitFor();
  await field(page, 'Password').fill(PASSWORD);
  await button(page, 'Confirm').click();
  await page.getByText('This login method is not enabled').waitFor();
});

test('a device that was removed elsewhere is no longer offered', async () => {
  const person = 'Dev_1';
  await registerUser(testbed.heron, person);
  const page = await open('/user-login/');
  await page.getByRole('checkbox', { name: 'Stay logged in' }).check();
  await signIn(page, person, PASSWORD);
  await page.getByText('No bots yet').waitFor();
  const account = { username: person, password: PASSWORD };
  const { token } = await call<{ token: string }>(testbed.heron, 'System.Login.login', account);
  await call(testbed.heron, 'System.Session.endOthers', {}, token);
  await page.goto(`${testbed.heron.url}/user-login/`);
  const saved = page.getByRole('region', { name: 'Used on this device' });
  await saved.getByText('Password required').click();
  expect(await field(page, 'Account').inputValue()).toBe(person);
  expect(await isFocused(field(page, 'Password'))).toBe(true);
});

test('the account list leads a user without a password to the code page', async () => {
  const phone = '13800138004';
  const page = await signInByPhoneCodeInChinese(phone, '/setting-index/');
  await button(page, '退出登录').click();
  await page.getByRole('alertdialog').getByRole('button', { name: '退出登录' }).click();
  await page.getByRole('button', { name: /需要验证码/ }).click();
  expect(await field(page, '手机号').inputValue()).toBe(phone);
  expect(await isFocused(field(page, '手机号'))).toBe(true);
});

test('typed text stays when the login methods of the installation arrive late', async () => {
  await registerUser(testbed.heron, 'Early_1');
  const page = await open('/user-login/?to=%2Fsetting-normal%2F', { locale: 'zh-CN' });
  const { promise: typed, resolve: answer } = Promise.withResolvers<void>();
  await page.route('**/api/register/rules', async (route) => {
    await typed;
    await route.continue();
  });
  await page.reload();
  await field(page, '账号').fill('Early_1');
  await field(page, '密码').fill(PASSWORD);
  expect(await page.getByRole('tab').count()).toBe(0);
  answer();
  await page.getByRole('tab', { name: '快捷登录' }).waitFor();
  await button(page, '登录').click();
  await button(page, '清除缓存').waitFor();
});

test('typed registration data stays when another language offers other methods', async () => {
  const page = await open('/user-login/');
  await page.route('**/api/register/rules', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...(await response.json()), registerByEmail: false } });
  });
  await page.goto(`${testbed.heron.url}/user-register/`);
  await field(page, 'Name').fill('Polyglot');
  expect(await page.getByRole('tab').count()).toBe(0);
  await button(page, '简体中文').click();
  await page.getByRole('tab', { name: '手机注册' }).waitFor();
  expect(await page.locator('input[name=username]').inputValue()).toBe('Polyglot');
});

test('links to disabled providers are still shown and can be removed', async () => {
  await registerUser(testbed.heron, 'Tied_1');
  const page = await open('/user-login/?to=%2Fsetting-index%2F');
  await page.route('**/api/identity/list', (route) =>
    route.fulfill({ json: { identities: [{ provider: 'wechat', linkedAt: 1_700_000_000 }] } }),
  );
  await signIn(page, 'Tied_1', PASSWORD);
  await page.getByRole('link', { name: 'Linked accounts' }).click();
  await button(page, 'Unlink').waitFor();
});

test('a code that could not be checked stays, and is checked after reconnecting', async () => {
  const page = await open('/user-register/');
  const email = 'far@example.org';
  await page.getByRole('tab', { name: 'E-mail' }).click();
  await field(page, 'E-mail').fill(email);
  const code = await requestCode(page, email);
  expect(await isFocused(field(page, 'Code'))).toBe(true);
  await page.context().setOffline(true);
  await field(page, 'Code').fill(code);
  await page.getByText('The server cannot be reached').waitFor();
  expect(await field(page, 'Code').getAttribute('aria-invalid')).toBeNull();
  await checkPage(page, 'code-offline');
  await button(page, 'Check again').click();
  await button(page, 'Check again').waitFor();
  expect(await isFocused(field(page, 'Code'))).toBe(true);
  // The first request after reconnecting can fail too.
  await page.route('**/api/register/checkRegisterEmailCode', (route) => route.abort(), { times: 1 });
  await page.context().setOffline(false);
  await page.getByRole('status').getByText('The code is correct').waitFor();
  expect(await field(page, 'Code').inputValue()).toBe(code);
});

test('a user who logged in by code sets a first password, which is required afterwards', async () => {
  const phone = '13800138003';
  const page = await signInByPhoneCodeInChinese(phone, '/user-edit-password/');
  await field(page, '新密码').fill(PASSWORD);
  await field(page, '确认新密码').fill(PASSWORD);
  await button(page, '保存').click();
  await page.getByRole('link', { name: '修改密码' }).click();
  await field(page, '原密码').waitFor();
});

test('a late result of an address check is ignored once the address has changed', async () => {
  const page = await open('/user-register/');
  const check = Promise.withResolvers<Route>();
  const isCheck = (request: Request) => request.url().endsWith('/api/register/checkRegisterEmailCode');
  await page.route('**/api/register/checkRegisterEmailCode', check.resolve);
  await page.getByRole('tab', { name: 'E-mail' }).click();
  await field(page, 'E-mail').fill('first@example.org');
  await field(page, 'Code').fill('123456');
  const answered = page.waitForEvent('requestfinished', isCheck);
  const held = await check.promise;
  await field(page, 'E-mail').fill('second@example.org');
  await held.fulfill({ json: {} });
  await answered;
  await page.evaluate(() => new Promise((painted) => requestAnimationFrame(() => setTimeout(painted))));
  expect(await field(page, 'Code').inputValue()).toBe('');
  expect(await button(page, 'Register').isDisabled()).toBe(true);
});

test('a login link names the account, and the registration keeps the inviter', async () => {
  const page = await open('/user-login/?username=Anna&source_uid=123456789');
  expect(await field(page, 'Account').inputValue()).toBe('Anna');
  await page.getByRole('link', { name: 'Register now' }).click();
  await page.waitForURL('**/user-register/?username=Anna&source_uid=123456789');
});

test('a link fills the login and the recovery with an account, and sends nothing', async () => {
  const page = await open('/user-login/?username=ada%40example.org');
  const sent: string[] = [];
  page.on('request', (request) => request.method() === 'POST' && sent.push(request.postData() ?? ''));
  await button(page, 'Log in').waitFor();
  expect(await field(page, 'Account').inputValue()).toBe('ada@example.org');
  await page.goto(`${testbed.heron.url}/user-forget-password/?initUser=ada%40example.org`);
  await button(page, 'Next').waitFor();
  expect(await page.getByRole('textbox').inputValue()).toBe('ada@example.org');
  await page.goto(`${testbed.heron.url}/user-forget-password-email/?initUser=ada%40example.org`);
  expect(await field(page, 'E-mail').inputValue()).toBe('ada@example.org');
  // Without the ticket of a correct code nobody can set a password: the link leads back to the code page.
  await page.goto(`${testbed.heron.url}/user-forget-password-reset/?type=mobile&initUser=13800138009`);
  await page.getByRole('link', { name: 'Start again' }).click();
  await page.waitForURL('**/user-forget-password-tel/?**');
  expect(await field(page, 'Phone number').inputValue()).toBe('13800138009');
  expect(sent.filter((body) => /ada|13800138009/.test(body))).toEqual([]);
});
