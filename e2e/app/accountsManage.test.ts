import { beforeAll, expect, test } from 'vitest';
import { field, PASSWORD } from './appTestbed.ts';
import { screens } from './browser.ts';
import { checkPage } from './checkPage.ts';
import { button, isFocused, pageTestbed, signIn } from './pageTestbed.ts';
import { call, registerUser } from './userRequests.ts';

const { testbed, administratorToken, open } = pageTestbed();

beforeAll(async () => {
  for (let n = 1; n <= 30; n++) await registerUser(testbed.heron, `Member_${n}`);
});

test.for(screens('phone'))(
  'an editor searches, sorts and deletes only accounts of lower rank, on a $name',
  async ({ name, screen }) => {
    const editor = `Ed_${name}`;
    const uid = await registerUser(testbed.heron, editor);
    const gone = `Gone_${name}`;
    await registerUser(testbed.heron, gone);
    await call(testbed.heron, 'System.User.setRole', { uid, group_id: 3 }, administratorToken());
    const page = await open('/manage-users/', screen);
    await signIn(page, editor, PASSWORD);
    const rows = page.getByTestId('user-row');
    await rows.filter({ hasText: gone }).waitFor();
    await checkPage(page, `${name}-users`);
    expect(await rows.count()).toBe(24);
    // Scrolling to the end of the list loads the next page.
    await rows.last().scrollIntoViewIfNeeded();
    await rows.filter({ hasText: 'Keeper' }).waitFor();

    await page.getByRole('button', { name: 'Registration' }).click();
    await checkPage(page, `${name}-users-sort`);
    // On the keyboard, arrows move, Enter chooses and Escape cancels. Enter and Escape return the focus to the button.
    await page.keyboard.press('ArrowDown');
    expect(await isFocused(page.getByRole('radio', { name: 'Last login' }))).toBe(true);
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await isFocused(page.getByRole('button', { name: 'Last login' }))).toBe(true);
    await rows.first().getByText(editor).waitFor();
    await page.keyboard.press('Enter');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await isFocused(page.getByRole('button', { name: 'Last login' }))).toBe(true);

    const sought: unknown[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('/api/member/memberList')) sought.push(request.postDataJSON().searchKey);
    });
    await page.getByRole('searchbox').pressSequentially('keeper');
    await page.getByText('1 person').waitFor();
    // With slow typing, a part of the name may already have been searched for.
    await expect.poll(() => sought.at(-1), { timeout: 30_000 }).toBe('keeper');
    await page.getByText('1 person').waitFor();
    // The page must not search on every key press, however slow this machine types.
    expect(sought.length).toBeLessThan('keeper'.length);
    expect(await page.getByRole('button', { name: 'Delete: Keeper' }).count()).toBe(0);
    await page.getByRole('searchbox').fill('nobody of that name');
    await page.getByText('No records').waitFor();
    await page.getByRole('searchbox').fill(gone);
    await page.getByText('1 person').waitFor();
    const remove = page.getByRole('button', { name: `Delete: ${gone}` });
    if (name === 'phone') {
      const edge = await rows.first().evaluate((row) => row.getBoundingClientRect().right);
      expect(await remove.evaluate((element) => element.getBoundingClientRect().left)).toBeGreaterThanOrEqual(edge);
      await rows.first().evaluate((row) => row.scrollTo({ left: 400 }));
      await page.waitForFunction(() => (document.querySelector('.user-row')?.scrollLeft ?? 0) > 40);
      await checkPage(page, `${name}-users-swiped`);
    }
    await remove.focus();
    await page.keyboard.press('Enter');
    await page.getByText(`Delete ${gone}?`).waitFor();
    await checkPage(page, `${name}-users-delete`);
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('No records').waitFor();
  },
);

test.for(screens('desktop'))(
  'a user who is no editor sees an explanation and stays on the page, on a $name',
  async ({ name, screen }) => {
    await registerUser(testbed.heron, `Nosy_${name}`);
    const page = await open('/manage-users/', screen);
    await signIn(page, `Nosy_${name}`, PASSWORD);
    await page.getByText('Only administrators can do this.').waitFor();
    await checkPage(page, `${name}-guard`);
    await button(page, 'OK').click();
    await page.getByText('No bots yet').waitFor();
    await page.goto(`${testbed.heron.url}/manage-audit/`);
    await page.getByText('Only super administrators can do this.').waitFor();
  },
);

test.for(screens('phone'))(
  'a super administrator appoints, restores, audits and configures, on a $name',
  async ({ name, screen }) => {
    const person = `Rise_${name}`;
    const uid = await registerUser(testbed.heron, person);
    const page = await open('/setting-index/', screen);
    await page.goto(`${testbed.heron.url}/user-login/?to=%2Fsetting-index%2F`);
    await page.getByRole('checkbox', { name: 'Stay logged in' }).check();
    await signIn(page, 'Keeper', PASSWORD);
    await button(page, 'Log out').waitFor();
    await checkPage(page, `${name}-settings-keeper`);
    await page.getByRole('link', { name: 'Users' }).click();
    await page.getByRole('searchbox').fill(person);
    await page.getByText('1 person').waitFor();
    await page.getByRole('button', { name: `Role: ${person}` }).click();
    await page.getByRole('radio', { name: 'User manager', exact: true }).check();
    await checkPage(page, `${name}-users-role`);
    await button(page, 'Set role').click();
    await page.getByTestId('user-row').getByText('User manager').waitFor();
    await page.getByRole('button', { name: `Delete: ${person}` }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('No records').waitFor();
    await page.getByRole('button', { name: 'Registration' }).click();
    await page.getByRole('checkbox', { name: 'Show deleted accounts' }).click();
    await page.getByRole('button', { name: `Restore: ${person}` }).click();
    await page.getByText(`${person} was restored`).waitFor();

    await page.goto(`${testbed.heron.url}/manage-audit/`);
    await page.getByTestId('audit').getByText('Account restored').first().waitFor();
    await field(page, 'By user').fill(String(uid));
    await page.getByTestId('audit').getByText(String(uid)).first().waitFor();
    await checkPage(page, `${name}-audit`);

    await call(testbed.heron, 'System.Register.sendRegisterEmailCode', { email: `out.${name}@example.org` });
    // A remembered device signs in by itself, which proves nothing about the person.
    await page.context().clearCookies();
    await page.goto(`${testbed.heron.url}/manage-outbox/`);
    await button(page, 'Confirm').click();
    const proof = page.getByRole('dialog');
    await field(page, 'Password').fill(PASSWORD);
    await checkPage(page, `${name}-outbox-proof`);
    await proof.getByRole('button', { name: 'Confirm' }).click();
    await page.getByText(`out.${name}@example.org`).waitFor();
    await checkPage(page, `${name}-outbox`);

    await page.goto(`${testbed.heron.url}/manage-proxies/`);
    await page.getByRole('button', { name: 'Change: MEXC spot', exact: true }).click();
    await field(page, 'Address').fill('nonsense');
    await button(page, 'Save').click();
    await page.getByText('Enter an address such as').waitFor();
    await checkPage(page, `${name}-proxy-sheet`);
    await field(page, 'Address').fill('socks5://user:geheim@127.0.0.1:1080');
    await button(page, 'Save').click();
    await page.getByTestId('proxies').getByText('socks5://127.0.0.1:1080, with a password').waitFor();
    expect(await page.content()).not.toContain('geheim');
    await checkPage(page, `${name}-proxies`);
    await page.getByRole('button', { name: 'Change: MEXC spot', exact: true }).click();
    await button(page, 'Remove').click();
    await page.getByTestId('proxies').getByText('with a password').waitFor({ state: 'detached' });

    await page.goto(`${testbed.heron.url}/manage-settings/`);
    const byName = page.getByRole('checkbox', { name: 'Register by name' });
    await byName.uncheck();
    await checkPage(page, `${name}-installation`);
    // A change during the save request must be neither lost nor saved.
    const release = Promise.withResolvers<void>();
    await page.route('**/api/setting/set', async (route) => {
      await release.promise;
      await route.continue();
    });
    const byEmail = page.getByRole('checkbox', { name: 'Register by e-mail' });
    await button(page, 'Save').click();
    await byEmail.uncheck();
    release.resolve();
    await page.getByText('Saved').waitFor();
    expect(await byEmail.isChecked()).toBe(false);
    await page.unroute('**/api/setting/set');
    const visitor = await open('/user-register/', screen);
    await field(visitor, 'E-mail').waitFor();
    expect(await visitor.getByRole('tab').count()).toBe(0);
    await page.reload();
    await byName.check();
    await button(page, 'Save').focus();
    await page.keyboard.press('Enter');
    await page.getByText('Saved').waitFor();
    await expect.poll(() => isFocused(button(page, 'Save')), { timeout: 30_000 }).toBe(true);
  },
);
