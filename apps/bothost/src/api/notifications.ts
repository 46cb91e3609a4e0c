import { markSeen, notificationPage, unseenAlarms, unseenCount } from '../store/botNotifications.ts';
import type { ApiContext, BotHandlers } from './apiContext.ts';

/** Creates the handlers of the calls about notifications. */
export function createNotificationHandlers({
  database,
  now,
  streams,
}: ApiContext): BotHandlers<'notifications' | 'alarms' | 'markNotificationsSeen'> {
  return {
    async notifications({ user, query }) {
      return notificationPage(database, user, query);
    },

    async alarms({ user }) {
      return { bots: await unseenAlarms(database, user) };
    },

    async markNotificationsSeen({ user, body }) {
      await markSeen(database, user, body, now());
      streams().countUnseen(user);
      return { unseen: await unseenCount(database, user) };
    },
  };
}
