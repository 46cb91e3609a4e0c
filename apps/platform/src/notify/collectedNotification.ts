import type { HostNotification } from '@heron/contract/bots/notifications.ts';

/** A notification with its owner. */
export interface CollectedNotification extends HostNotification {
  /** Name of the paired bot host; absent for the own bot host. */
  readonly host?: string;
}

/** A notification as it is delivered. */
export type DeliverableNotification = Omit<CollectedNotification, 'owner'>;
