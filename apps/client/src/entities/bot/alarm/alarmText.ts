import type { BotNotification } from '@heron/contract/bots/notifications.ts';
import type { Preferences } from '../../../lib/preferences.ts';
import { noticeSentence } from './notificationText.ts';

/** Of what kind a notice is, and what has happened, in a line. */
export function alarmWords(notice: BotNotification, preferences: Preferences): string {
  const { kind, pair } = notice;
  const sentence = [pair, noticeSentence(notice, preferences)].filter(Boolean).join(' ');
  return `${preferences.t(`noticeKind.${kind}`)} · ${sentence}`;
}
