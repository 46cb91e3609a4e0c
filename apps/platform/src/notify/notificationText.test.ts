import {
  ALARMS,
  type HostNotification,
  NOTIFICATION_KINDS,
  ROUTINE_EXTERNAL_CHANGES,
} from '@heron/contract/bots/notifications.ts';
import { describe, expect, test } from 'vitest';
import { notificationText } from './notificationText.ts';

const notice = (kind: HostNotification['kind'], data: HostNotification['data'] = {}): HostNotification => ({
  ...{ id: 'abc123.1', owner: '1', bot: 'abc123', name: 'Grid', mode: 'paper', venue: 'binance-demo', at: 0 },
  ...{ pair: 'BTC-USDT', kind, data },
});
const NOTIFIED_EXTERNAL_CHANGES = [
  ...['adjust', 'transfer', 'foreign', 'order_absent', 'order_refused', 'stop_gone', 'stop_in_part', 'no_stop'],
  ...['unknown_order', 'deleveraged', 'leverage', 'settings', 'key_may_withdraw', 'key_may_not_withdraw'],
  ...['key_refused', 'key_accepted', 'address_banned', 'ban_over'],
];
const LANGUAGES = ['zh', 'en'] as const;

describe.each(LANGUAGES)('texts in %s', (language) => {
  const said = (kind: HostNotification['kind'], data?: HostNotification['data']) =>
    notificationText([notice(kind, data)], language, { amounts: true, times: false });
  const proper = language === 'zh' ? /\p{Script=Han}/u : /^[^\p{Script=Han}]*[a-z][^\p{Script=Han}]*$/u;

  test('have a title and a sentence of their own for every kind', () => {
    const titles = NOTIFICATION_KINDS.map((kind) => said(kind).title);
    expect(new Set(titles).size).toBe(NOTIFICATION_KINDS.length);
    for (const kind of NOTIFICATION_KINDS) {
      const { title, lines } = said(kind);
      expect(title).toMatch(proper);
      expect(lines.join()).toMatch(proper);
      expect(lines.join()).not.toMatch(/undefined|null|NaN/);
    }
  });

  test('have a sentence of their own for every alarm', () => {
    const sentences = ALARMS.map((what) => said('alarm', { what }).lines.join());
    expect(new Set(sentences).size).toBe(sentences.length);
    expect(sentences).not.toContain(said('alarm', { what: 'of a later version' }).lines.join());
    for (const sentence of sentences) expect(sentence).toMatch(proper);
  });

  test('have a sentence of their own for every external change that is notified', () => {
    const sentences = NOTIFIED_EXTERNAL_CHANGES.map((what) => said('outside', { what }).lines.join());
    expect(new Set(sentences).size).toBe(sentences.length);
    expect(sentences).not.toContain(said('outside', { what: 'of a later version' }).lines.join());
    for (const what of ROUTINE_EXTERNAL_CHANGES) expect(NOTIFIED_EXTERNAL_CHANGES).not.toContain(what);
  });

  test('contain how often the event has happened since the last notification', () => {
    expect(said('outside', { what: 'order_refused', times: 17 }).lines.join()).toContain('17');
    expect(said('alarm', { what: 'exit_not_filled', times: 4 }).lines.join()).toContain('4');
    expect(said('alarm', { what: 'exit_not_filled', times: 1 }).lines).toEqual(
      said('alarm', { what: 'exit_not_filled' }).lines,
    );
  });

  test('without amounts contain no figures', () => {
    const data = { side: 'sell', quantity: '0.7512', price: '88231.29', net: '-123.45', returnPercent: -6.78 };
    for (const kind of NOTIFICATION_KINDS) {
      const { title, lines } = notificationText([notice(kind, data)], language, { amounts: false, times: false });
      expect(`${title} ${lines.join()}`).not.toMatch(/\d/);
      expect(lines.join()).toMatch(proper);
    }
  });
});
