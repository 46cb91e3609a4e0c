import { startWebhookReceiver } from '@heron/platform/testing/webhookReceiver.ts';
import type { Page } from 'playwright-core';
import { afterAll, describe, expect, test } from 'vitest';
import { appTestbed, field, PASSWORD, register } from './appTestbed.ts';
import { answerToKey, makeBot, post, saveDemoKey } from './botRequests.ts';
import { openContext, screens } from './browser.ts';
import { checkPage } from './checkPage.ts';

// The receiver of these tests has a private address.
process.env.HERON_NOTIFY_PRIVATE = '1';
const receiver = await startWebhookReceiver();
afterAll(() => receiver.stop());
const testbed = appTestbed();

/** Calls a method as the page does. @param call path of the method below `/api` */
function send<Answer>(page: Page, call: string, payload: object = {}): Promise<Answer> {
  return post<Answer>(page, `/api/${call}`, payload);
}

/** Continues in the session of a remembered device, which is no proof of identity. */
async function signInWithoutProof(page: Page, basepass: string): Promise<string> {
  const entered = await send<{ basepass: string }>(page, 'device/login', { basepass, session: 'cookie' });
  return entered.basepass;
}

describe.each(screens('phone'))('in a session whose proof is old, on a $name', ({ name, screen }) => {
  test('a webhook, an exchange key and the first live start require a fresh proof', async () => {
    const context = await openContext(testbed.browser, screen);
    const page = await context.newPage();
    page.setDefaultTimeout(90_000);
    await register(page, testbed.heron, `Absent_${name}`);
    const kept = await saveDemoKey(page, testbed.installation);
    const live = await makeBot(page, 'Careful', { mode: 'live' }, { key: kept, allotment: '1000' });
    let { basepass } = await send<{ basepass: string }>(page, 'device/remember');
    const question = page.getByRole('dialog', { name: 'Verify your identity' });
    async function prove(): Promise<void> {
      await question.getByRole('textbox', { name: 'Password', exact: true }).fill(PASSWORD);
      await question.getByRole('button', { name: 'Confirm' }).click();
      await question.waitFor({ state: 'detached' });
    }

    basepass = await signInWithoutProof(page, basepass);
    await page.goto(`${testbed.heron.url}/notify-settings/`);
    await field(page, 'Webhook URL').fill(receiver.url);
    const add = page.getByRole('button', { name: 'Add webhook' });
    await add.click();
    await question.waitFor();
    await checkPage(page, `${name}-proof-webhook`);
    await question.getByRole('button', { name: 'Cancel' }).click();
    await question.waitFor({ state: 'detached' });
    expect(receiver.received).toEqual([]);
    expect(await page.locator('.toast-problem').count()).toBe(0);
    await add.click();
    await prove();
    await page.getByTestId('webhook-secret').waitFor();
    expect(receiver.received).toHaveLength(1);

    basepass = await signInWithoutProof(page, basepass);
    await page.goto(`${testbed.heron.url}/exchange-add/`);
    await field(page, 'Label').fill('Second');
    await field(page, 'API key').fill('x'.repeat(64));
    await field(page, 'Secret').fill('x'.repeat(64));
    await page.getByRole('button', { name: 'Test and save' }).click();
    await prove();
    await answerToKey(page, page.getByText('The exchange rejects this key'));

    await signInWithoutProof(page, basepass);
    await page.goto(`${testbed.heron.url}/bot/${live}/`);
    await page.getByRole('button', { name: 'Start', exact: true }).click();
    const start = page.getByRole('alertdialog', { name: 'Start Careful live?' });
    await start.getByRole('textbox').fill('Careful');
    await page.keyboard.press('Enter');
    await question.waitFor();
    await checkPage(page, `${name}-proof-live-start`);
    await page.keyboard.press('Escape');
    await question.waitFor({ state: 'detached' });
    // The screen shows no error, and the start can be confirmed again.
    expect(await start.getByRole('alert').count()).toBe(0);
    await start.getByRole('button', { name: 'Start live' }).click();
    await prove();
    await page.getByTestId('bot-status').and(page.locator('[data-status=working]')).waitFor();
    await context.close();
  });
});

describe.each(screens('desktop'))('a webhook that another session has added, on a $name', ({ name, screen }) => {
  test('is disabled with that session, shown on two screens, and enabled again', async () => {
    const context = await openContext(testbed.browser, { ...screen, locale: 'zh-CN' });
    const page = await context.newPage();
    page.setDefaultTimeout(90_000);
    await register(page, testbed.heron, `Robbed_${name}`, '还没有机器人');
    const elsewhere = await openContext(testbed.browser);
    const thief = await elsewhere.newPage();
    thief.setDefaultTimeout(90_000);
    await thief.goto(`${testbed.heron.url}/user-login/`);
    await send(thief, 'login/login', { username: `Robbed_${name}`, password: PASSWORD, session: 'cookie' });
    async function addWebhook(url: string): Promise<void> {
      const payload = { kind: 'webhook', webhookUrl: url };
      const { channel } = await send<{ channel: { id: string } }>(thief, 'notify/add', payload);
      const { code } = JSON.parse(receiver.received.at(-1)?.body ?? '{}') as { code: string };
      await send(thief, 'notify/prove', { id: channel.id, notifyCode: code });
    }
    await addWebhook(receiver.url);
    await addWebhook(receiver.url.replace('127.0.0.1', 'localhost'));

    await page.goto(`${testbed.heron.url}/user-sessions/`);
    await page.getByRole('button', { name: '退出其他设备' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: '退出其他设备' }).click();
    const rows = page.getByTestId('disabled-integration');
    await rows.nth(1).waitFor();
    await checkPage(page, `${name}-disabled-integrations-zh`);
    await rows.first().getByRole('button', { name: '启用' }).click();
    await rows.first().getByText('已启用').waitFor();

    await page.goto(`${testbed.heron.url}/notify-settings/`);
    const disabled = page.getByTestId('notify-channel').filter({ hasText: '停用' });
    await disabled.waitFor();
    await checkPage(page, `${name}-disabled-channel-zh`);
    await disabled.getByRole('button', { name: '启用' }).click();
    await disabled.waitFor({ state: 'detached' });

    // A login with the password is the other proof.
    await send(thief, 'login/login', { username: `Robbed_${name}`, password: PASSWORD, session: 'cookie' });
    await addWebhook(receiver.url);
    await page.goto(`${testbed.heron.url}/user-edit-password/`);
    await field(page, '原密码').fill(PASSWORD);
    await field(page, '新密码').fill(`${PASSWORD} new`);
    await field(page, '确认新密码').fill(`${PASSWORD} new`);
    await page.getByRole('button', { name: '保存' }).click();
    await rows.first().waitFor();
    expect(await rows.count()).toBe(1);
    await checkPage(page, `${name}-password-disabled-zh`);
    await Promise.all([context.close(), elsewhere.close()]);
  });
});
