import { expect, test } from 'vitest';
import { field, PASSWORD } from './appTestbed.ts';
import { screens } from './browser.ts';
import { checkPage } from './checkPage.ts';
import { button, isFocused, pageTestbed, signIn } from './pageTestbed.ts';
import { call, enableTotp, newestCode, registerUser, totp } from './userRequests.ts';

const { testbed, administratorToken, open, fillCodeInChinese, signInByPhoneCodeInChinese } = pageTestbed();
const WAIT = { timeout: 30_000 };

test.for(screens('phone'))(
  'on a $name an authenticator app guards the login; a recovery code works once',
  async ({ name, screen }) => {
    const person = `Tom_${name}`;
    await registerUser(testbed.heron, person);
    const page = await open('/user-second-factor/', screen);
    await signIn(page, person, PASSWORD);
    await button(page, 'Set up').click();
    await page.getByRole('img', { name: 'QR code with the secret' }).waitFor();
    await checkPage(page, `${name}-totp-setup`);
    const secret = String(await page.getByTestId('totp-secret').textContent());
    await field(page, 'Code from the app').fill('000000');
    await button(page, 'Switch on').click();
    await page.getByText('Incorrect code').waitFor();
    await expect.poll(() => isFocused(field(page, 'Code from the app')), WAIT).toBe(true);
    await field(page, 'Code from the app').fill(totp(secret));
    await button(page, 'Switch on').click();
    await page.getByTestId('recovery-codes').waitFor();
    const codes = await page.getByTestId('recovery-codes').getByRole('listitem').allTextContents();
    expect(codes).toHaveLength(10);
    // The codes are shown only once, so Escape must not close them.
    for (let press = 0; press < 3; press++) await page.keyboard.press('Escape');
    await page.getByRole('alertdialog').getByText(String(codes[9])).waitFor();
    await checkPage(page, `${name}-recovery-codes`);
    await button(page, 'I have saved them').click();
    await page.getByText('10 are left').waitFor();
    await checkPage(page, `${name}-second-factor`);

    const next = await open('/user-login/', screen);
    await signIn(next, person, PASSWORD);
    await next.getByText('One more step').waitFor();
    await field(next, 'Code from the app').fill('111111');
    await button(next, 'Log in').click();
    await next.getByText('The code or passkey was not accepted').waitFor();
    await checkPage(next, `${name}-second-step`);
    // The code of the current time step was used during setup; the next step's code is accepted too.
    await field(next, 'Code from the app').fill(totp(secret, Date.now() + 30_000));
    await button(next, 'Log in').click();
    await next.getByText('No bots yet').waitFor();

    const lost = await open('/user-login/', screen);
    await signIn(lost, person, PASSWORD);
    await button(lost, 'Use a recovery code').click();
    await field(lost, 'Recovery code').fill(String(codes[0]));
    await checkPage(lost, `${name}-second-step-recovery`);
    await button(lost, 'Log in').click();
    await lost.getByText('No bots yet').waitFor();
    await lost.goto(`${testbed.heron.url}/user-second-factor/`);
    await lost.getByText('9 are left').waitFor();
    await button(lost, 'Switch off').click();
    await lost.getByRole('alertdialog').getByRole('button', { name: 'Switch off' }).click();
    await button(lost, 'Set up').waitFor();
  },
);

test.for(screens('desktop'))(
  'a session without second factor asks for password and second factor, on a $name',
  async ({ name, screen }) => {
    const person = `Eve_${name}`;
    await registerUser(testbed.heron, person);
    const page = await open('/user-second-factor/', screen);
    await signIn(page, person, PASSWORD);
    await button(page, 'Set up').waitFor();
    const { recoveryCodes } = await enableTotp(testbed.heron, person);
    await page.reload();
    await button(page, 'Switch off').click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Switch off' }).click();
    await page.getByText('Verify your identity').waitFor();
    await field(page, 'Password').fill(PASSWORD);
    await checkPage(page, `${name}-proof-both`);
    await button(page, 'Confirm').click();
    await page.getByText('Enter the 6 digits that your app shows').waitFor();
    await button(page, 'Use a recovery code').click();
    await field(page, 'Recovery code').fill('aaaaa-aaaaa');
    await button(page, 'Confirm').click();
    await page.getByText('The code or passkey was not accepted').waitFor();
    await field(page, 'Recovery code').fill(String(recoveryCodes[0]));
    await checkPage(page, `${name}-proof-recovery`);
    await button(page, 'Confirm').click();
    await button(page, 'Set up').waitFor();
  },
);

test.for(screens('phone'))(
  'a passkey is added, renamed, and logs in without name or password, on a $name',
  async ({ name, screen }) => {
    const person = `Key_${name}`;
    await registerUser(testbed.heron, person);
    const page = await open('/user-second-factor/', screen);
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('WebAuthn.enable');
    const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    });
    const presence = (enabled: boolean) =>
      devtools.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled });
    await page.addInitScript(() => {
      const get = navigator.credentials.get.bind(navigator.credentials);
      navigator.credentials.get = (options) => {
        const answer = get(options);
        document.documentElement.dataset.asked = String(options?.mediation);
        return answer;
      };
    });
    const offered = page.locator('html[data-asked="conditional"]');
    const local = testbed.heron.url;
    /** Opens the sign-in page without a session; the passkey is offered at the field, and not chosen. */
    async function openSignIn() {
      await presence(false);
      await page.context().clearCookies();
      await page.goto(`${local}/user-login/`);
      await offered.waitFor({ state: 'attached' });
      await presence(true);
    }
    await signIn(page, person, PASSWORD);
    await button(page, 'Add a passkey').click();
    await button(page, 'I have saved them').click();
    await page.getByTestId('passkey-row').waitFor();
    await page.getByRole('button', { name: /^Rename / }).click();
    await field(page, 'Name').fill('My laptop');
    await button(page, 'Rename').click();
    await page.getByTestId('passkey-row').getByText('My laptop').waitFor();
    await checkPage(page, `${name}-passkeys`);
    await page.goto(`${local}/setting-index/`);
    await button(page, 'Log out').click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Log out' }).click();
    // The virtual authenticator immediately chooses the passkey that the browser offers at the account field.
    await page.waitForURL('**/bots/');

    // The button replaces the request of the field.
    await openSignIn();
    await button(page, 'Log in with a passkey').click();
    await page.waitForURL('**/bots/');

    // The passkey is the second factor after the password.
    await openSignIn();
    await signIn(page, person, PASSWORD);
    // The easiest second factor has the focus; the recovery code is the last resort.
    await button(page, 'Use a recovery code').waitFor();
    await expect.poll(() => isFocused(button(page, 'Use a passkey')), WAIT).toBe(true);
    expect(await field(page, 'Recovery code').count()).toBe(0);
    await button(page, 'Use a passkey').click();
    await page.getByText('No bots yet').waitFor();
    await page.goto(`${local}/user-second-factor/`);
    await page.getByRole('button', { name: 'Remove My laptop' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click();
    await page.getByTestId('passkey-row').waitFor({ state: 'detached' });
  },
);

test.for(screens('desktop'))(
  'a password change keeps its own session and ends all others, on a $name',
  async ({ name, screen }) => {
    const person = `Cho_${name}`;
    await registerUser(testbed.heron, person);
    const other = await open('/user-login/', screen);
    await signIn(other, person, PASSWORD);
    await other.getByText('No bots yet').waitFor();
    const page = await open('/user-edit-password/', screen);
    await signIn(page, person, PASSWORD);
    await button(page, 'Save').click();
    await page.getByText('Enter your password').first().waitFor();
    await field(page, 'Current password').fill('not the one 12');
    await field(page, 'New password').fill('still water 88');
    await field(page, 'Confirm new password').fill('still water 88');
    await button(page, 'Save').click();
    await page.getByText('Incorrect password').waitFor();
    await checkPage(page, `${name}-change-password`);
    await field(page, 'Current password').fill(PASSWORD);
    await button(page, 'Save').click();
    await page.waitForURL('**/setting-index/');
    await other.reload();
    await other.waitForURL('**/user-login/');
  },
);

test.for(screens('phone'))(
  'a profile is saved, and a nickname that is too long is rejected, on a $name',
  async ({ name, screen }) => {
    const person = `Pia_${name}`;
    await registerUser(testbed.heron, person);
    const page = await open('/user-edit/', screen);
    await signIn(page, person, PASSWORD);
    await field(page, 'Nickname').fill('a nickname too long');
    await button(page, 'Save').click();
    await page.getByText('A nickname must have 1 to 12 characters').waitFor();
    await field(page, 'Nickname').fill('Pia 苍鹭');
    await page.getByText('Optional details').click();
    await page.getByRole('radio', { name: 'Female' }).check();
    await page.getByLabel('Birthday').fill('1999-12-31');
    await checkPage(page, `${name}-profile`);
    await button(page, 'Save').click();
    await page.waitForURL('**/setting-index/');
    await page.goto(`${testbed.heron.url}/user-edit/`);
    expect(await field(page, 'Nickname').inputValue()).toBe('Pia 苍鹭');
    expect(await page.getByLabel('Birthday').inputValue()).toBe('1999-12-31');
    await page.getByText('Optional details').click();
    expect(await page.getByRole('radio', { name: 'Female' }).isChecked()).toBe(true);
  },
);

test.for(screens('desktop'))(
  'sessions are listed and ended one by one, or all others at once, on a $name',
  async ({ name, screen }) => {
    const person = `Many_${name}`;
    await registerUser(testbed.heron, person);
    const page = await open('/user-sessions/', screen);
    await signIn(page, person, PASSWORD);
    await page.getByText('This session').waitFor();
    const rows = page.getByTestId('session-row');
    // The rows are the session of the API registration and the current session.
    expect(await rows.count()).toBe(2);
    await page.getByRole('button', { name: /^End: / }).click();
    await rows.nth(1).waitFor({ state: 'detached' });
    await call(testbed.heron, 'System.Login.login', { username: person, password: PASSWORD });
    await page.reload();
    await button(page, 'End all others').click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'End all others' }).click();
    await rows.nth(1).waitFor({ state: 'detached' });
    await rows.first().waitFor();
  },
);

test.for(screens('phone'))(
  'an API token is created once shown, used by a program, and revoked, on a $name',
  async ({ name, screen }) => {
    const person = `Tina_${name}`;
    await registerUser(testbed.heron, person);
    const page = await open('/user-tokens/', screen);
    await signIn(page, person, PASSWORD);
    await button(page, 'Create token').click();
    await page.getByText('Enter a label').waitFor();
    await field(page, 'Label').fill('Nightly script');
    await page.getByLabel('Manage bots').check();
    await page.getByLabel('Expires after').selectOption('never');
    await checkPage(page, `${name}-new-token`);
    await button(page, 'Create token').click();
    const secret = (await page.getByTestId('token-secret').textContent())?.trim() ?? '';
    expect(secret).toMatch(/^heron_/);
    await checkPage(page, `${name}-token-secret`);
    const request = (path: string) =>
      fetch(`${testbed.heron.url}${path}`, { headers: { authorization: `Bearer ${secret}` } });
    expect((await request('/bot/bots')).status).toBe(200);
    expect((await request('/bot/keys')).status).toBe(403);
    await page.reload();
    await page.getByText('Last used').waitFor();
    expect(await page.getByTestId('token-secret').count()).toBe(0);
    await checkPage(page, `${name}-tokens`);
    await page.getByRole('button', { name: 'Revoke: Nightly script' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).click();
    await page.getByTestId('token-row').waitFor({ state: 'detached' });
    expect((await request('/bot/bots')).status).toBe(401);
  },
);

test.for(screens('phone'))(
  'a deleted account cannot log in, and its owner sees what happens, on a $name',
  async ({ name, screen }) => {
    const person = `Lee_${name}`;
    await registerUser(testbed.heron, person);
    const page = await open('/user-delete/', screen);
    await signIn(page, person, PASSWORD);
    await button(page, 'Delete account').waitFor();
    await field(page, 'Password').fill('not the one 12');
    await checkPage(page, `${name}-delete-account`);
    await button(page, 'Delete account').click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete account' }).click();
    await page.getByText('Incorrect password').waitFor();
    await field(page, 'Password').fill(PASSWORD);
    await button(page, 'Delete account').click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete account' }).click();
    await page.getByText('Account deleted').waitFor();
    await button(page, 'OK').click();
    await signIn(page, person, PASSWORD);
    await page.getByText('This account was deleted and will be erased on').waitFor();
  },
);

test('a device login needs a proof of identity before it adds an e-mail address', async () => {
  const email = 'pru@example.org';
  await registerUser(testbed.heron, 'Pru');
  const page = await open('/user-contact/', { viewport: { width: 390, height: 844 } });
  await page.getByRole('checkbox', { name: 'Stay logged in' }).check();
  await signIn(page, 'Pru', PASSWORD);
  await button(page, 'Add').waitFor();
  await page.waitForFunction(() => localStorage.getItem('heron.accounts')?.includes('"basepass":"'));
  await page.context().clearCookies();
  await page.reload();
  await button(page, 'Add').click();
  await field(page, 'E-mail').fill(email);
  await button(page, 'Send code').click();
  const proof = page.getByRole('dialog', { name: 'Verify your identity' });
  await proof.waitFor();
  await expect.poll(() => isFocused(field(page, 'Password')), WAIT).toBe(true);
  await proof.getByRole('button', { name: 'Cancel' }).click();
  await proof.waitFor({ state: 'detached' });
  expect(await page.getByText('Verify your identity to continue').count()).toBe(0);
  await button(page, 'Send code').click();
  await proof.getByRole('button', { name: 'Confirm' }).click();
  await proof.getByText('Enter your password').waitFor();
  await expect.poll(() => isFocused(field(page, 'Password')), WAIT).toBe(true);
  await field(page, 'Password').fill('not the one 12');
  await proof.getByRole('button', { name: 'Confirm' }).click();
  await proof.getByText('Incorrect password').waitFor();
  await checkPage(page, 'phone-proof');
  await field(page, 'Password').fill(PASSWORD);
  await proof.getByRole('button', { name: 'Confirm' }).click();
  await page.getByRole('button', { name: /^Resend in/ }).waitFor();
  await checkPage(page, 'phone-contact');
  await field(page, 'Code').fill('000000');
  await button(page, 'Save').click();
  await page.getByText('Incorrect or expired verification code').waitFor();
  await field(page, 'Code').fill(await newestCode(testbed.heron, administratorToken(), email));
  await button(page, 'Save').click();
  await page.locator('#stage').getByText(email).waitFor();

  const other = await open('/user-login/');
  await signIn(other, email, PASSWORD);
  await other.getByText('No bots yet').waitFor();
});

test('a user without a password deletes the account with a code', async () => {
  const phone = '13700137001';
  const page = await signInByPhoneCodeInChinese(phone, '/user-delete/');
  await button(page, '注销账号').click();
  await page.getByText('请输入验证码').waitFor();
  await fillCodeInChinese(page, phone);
  await checkPage(page, 'desktop-delete-by-code-zh');
  await button(page, '注销账号').click();
  await page.getByRole('alertdialog').getByRole('button', { name: '注销账号' }).click();
  await page.getByText('账号已注销').waitFor();
});

test('an IP address offers no passkey, and the screen links to the host name', async () => {
  await registerUser(testbed.heron, 'Plain');
  const { port } = new URL(testbed.heron.url);
  const page = await open('/user-login/');
  await page.goto(`http://127.0.0.1:${port}/user-second-factor/`);
  await signIn(page, 'Plain', PASSWORD);
  const link = page.getByRole('link', { name: `http://localhost:${port}` });
  await link.waitFor();
  expect(await button(page, 'Add a passkey').count()).toBe(0);
  await link.click();
  await page.waitForURL(`http://localhost:${port}/**`);
});
