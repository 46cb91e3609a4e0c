import type { Note } from '@heron/engine/session/journal.ts';
import { expect, test } from 'vitest';
import { notificationKindOf } from './notificationKind.ts';
import { openNotificationThrottle } from './notificationThrottle.ts';

const refused = (at: number, why = `Market is closed, order ${at}`): Note => ({
  ...{ at, pair: 'SOL-USDT', kind: 'external' },
  data: { what: 'order_refused', clientOrderId: `abc123-${at}-1`, why },
});

/** Feeds entries one by one. @returns those that make a notification */
function received(notes: readonly Note[], notifications = openNotificationThrottle()): Note[] {
  return notes.flatMap((note) => notifications.throttle([note])).filter((note) => notificationKindOf(note, 0) !== null);
}

test('repeated rejections send one notification, then counts after growing intervals', () => {
  const seconds = Array.from({ length: 95 }, (_, second) => second).filter(
    (second) => second < 10 || second % 10 === 0,
  );
  const notices = received(seconds.map((second) => refused(1_000 * second)));
  expect(notices.map(({ at, data }) => [at, data.times])).toEqual([
    [0, undefined],
    [60_000, 15],
  ]);
  const day = received(Array.from({ length: 24 * 60 }, (_, minute) => refused(60_000 * minute)));
  expect(day.map(({ at }) => at / 60_000)).toEqual([0, 1, 5, 21, 85, 341, 701, 1_061, 1_421]);
  expect(day.reduce((sum, { data }) => sum + Number(data.times ?? 1), 0)).toBeGreaterThan(1_400);
});

test('another cause, another pair, or the same cause much later notifies at once', () => {
  const notifications = openNotificationThrottle();
  const lines = [
    refused(0),
    refused(1_000, 'Account has insufficient balance'),
    { ...refused(2_000), pair: 'BTC-USDT' },
    refused(3_000),
    refused(2 * 3_600_000),
  ];
  expect(received(lines, notifications).map(({ at }) => at)).toEqual([0, 1_000, 2_000, 2 * 3_600_000]);
});

test('alarms are throttled too; transfers and connection changes always notify', () => {
  const connection = (at: number, kind: Note['kind'], what: string): Note => ({ at, pair: null, kind, data: { what } });
  const each = [0, 1_000, 2_000];
  const countNotified = (kind: Note['kind'], what: string) =>
    received(each.map((at) => connection(at, kind, what))).length;
  expect(countNotified('alarm', 'exit_not_filled')).toBe(1);
  expect(countNotified('alarm', 'account_away')).toBe(3);
  expect(countNotified('alarm', 'account_back')).toBe(3);
  expect(countNotified('external', 'transfer')).toBe(3);
  expect(countNotified('external', 'key_refused')).toBe(3);
});

test('all entries stay in order: the journal has each', () => {
  const notifications = openNotificationThrottle();
  const lines = [refused(0), refused(1), refused(2)];
  expect(notifications.throttle(lines).map(({ at, data }) => [at, data.quiet])).toEqual([
    [0, undefined],
    [1, true],
    [2, true],
  ]);
});
