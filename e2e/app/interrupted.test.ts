import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { appGround, field, register } from './ground.ts';

const ground = appGround();
let page: Page;

beforeAll(async () => {
  page = await (await ground.browser.newContext({ locale: 'en-US' })).newPage();
  page.setDefaultTimeout(60_000);
  await register(page, ground.heron, 'Interrupted');
  await page.getByRole('link', { name: 'New bot' }).click();
  await field(page, 'Name').fill('Cut off');
  await page.getByRole('button', { name: 'Create and start' }).click();
  await page.locator('[data-testid=bot-status][data-status=working]').waitFor();
});

it('an order confirmed while offline fails at once and is never sent later', async () => {
  await page.getByRole('button', { name: 'Buy', exact: true }).locator('visible=true').click();
  await page.getByRole('textbox', { name: 'Amount' }).fill('1,000');
  await page.getByRole('button', { name: 'Review buy' }).click();
  await page.context().setOffline(true);
  await page.getByRole('button', { name: 'Confirm buy' }).click();
  await page.getByRole('alert').filter({ hasText: 'cannot be reached' }).waitFor();
  await page.keyboard.press('Escape');
  const sent: string[] = [];
  page.on('request', (request) => request.url().endsWith('/orders') && sent.push(request.url()));
  await page.context().setOffline(false);
  // The stream is back and has told how things are: whatever was kept would have been sent by now.
  await page.getByTestId('connection').waitFor({ state: 'hidden' });
  await page.reload();
  await page.getByText('No trades yet').waitFor();
  expect(sent).toEqual([]);
});

it('a tab whose session ends elsewhere goes to the login', async () => {
  const other = await page.context().newPage();
  await other.goto(`${ground.heron.url}/setting-index/`);
  await other.getByRole('button', { name: 'Log out' }).click();
  await other.getByRole('alertdialog').getByRole('button', { name: 'Log out' }).click();
  await page.getByRole('button', { name: 'Log in', exact: true }).waitFor();
  expect(await page.getByTestId('position').count()).toBe(0);
});
