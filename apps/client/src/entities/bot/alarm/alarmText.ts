import type { BotNotification } from '@heron/contract/bots/notifications.ts';
import type { Reader } from '../../../lib/reader.ts';
import { noticeSentence } from './notificationText.ts';

/** Of what kind a notice is, and what has happened, in a line. */
export function alarmWords(notice: BotNotification, reader: Reader): string {
  const { kind, pair } = notice;
  const sentence = [pair, noticeSentence(notice, reader)].filter(Boolean).join(' ');
  return `${reader.t(`noticeKind.${kind}`)} · ${sentence}`;
}
