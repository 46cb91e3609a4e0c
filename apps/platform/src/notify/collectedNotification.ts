import type { HostNotification } from '@heron/contract/bots/notifications.ts';

/** What happened, and whom it concerns. */
export interface CollectedNotification extends HostNotification {
  /** What the paired bot host is called that the bot runs on; absent for this Heron's own. */
  readonly host?: string;
}

/** The same as messages tell it. */
export type DeliverableNotification = Omit<CollectedNotification, 'owner'>;
