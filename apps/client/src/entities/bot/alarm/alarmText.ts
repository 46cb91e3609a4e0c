import type { BotNotification } from '@heron/contract/bots/notifications.ts';
import type { Preferences } from '../../../lib/preferences.ts';
import { notificationText } from './notificationText.ts';

/** Returns the kind of a notification and its text in one line. */
export function alarmText(notification: BotNotification, preferences: Preferences): string {
  const { kind, pair } = notification;
  const sentence = [pair, notificationText(notification, preferences)].filter(Boolean).join(' ');
  return `${preferences.t(`notificationKind.${kind}`)} · ${sentence}`;
}
