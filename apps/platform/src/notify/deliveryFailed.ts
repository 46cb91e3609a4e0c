import { AddressRefused } from './outgoing.ts';

/** A message was not delivered. The error does not contain its target. */
export class DeliveryFailed extends Error {
  override name = 'NotSent';
  /** The target has gone for good. */
  readonly gone: boolean;
  /** The owner has blocked the sender, and can unblock it. */
  readonly blocked: boolean;
  /** Delay that the receiver requests, seconds; null when it requests none. */
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

  /** Converts an error of a post without a response. */
  static from(error: unknown): DeliveryFailed {
    return new DeliveryFailed(error instanceof AddressRefused ? 'address refused' : 'not reached');
  }
}
