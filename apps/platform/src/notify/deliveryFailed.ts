import { AddressRefused } from './outgoing.ts';

/** A message did not arrive. Says nothing of where it was to go. */
export class DeliveryFailed extends Error {
  override name = 'NotSent';
  /** Nothing will ever arrive there. */
  readonly gone: boolean;
  /** What its owner can do something about: they have blocked whoever sends. */
  readonly blocked: boolean;
  /** How long the receiver wishes to be left alone; null when it says nothing of it. */
  readonly retryAfterS: number | null;

  constructor(
    message: string,
    {
      gone = false,
      blocked = false,
      retryAfterS = null,
    }: { gone?: boolean; blocked?: boolean; retryAfterS?: number | null } = {},
  ) {
    super(message);
    this.gone = gone;
    this.blocked = blocked;
    this.retryAfterS = retryAfterS;
  }

  /** What became of something that was posted and not answered. */
  static from(error: unknown): DeliveryFailed {
    return new DeliveryFailed(error instanceof AddressRefused ? 'address refused' : 'not reached');
  }
}
