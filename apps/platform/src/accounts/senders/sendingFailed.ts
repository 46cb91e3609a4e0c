/** A message that was not sent. Carries neither the message nor whom it was for: both may be logged with it. */
export class SendingFailed extends Error {
  /** `recipient`: this mailbox or number takes no messages; `sender`: nobody gets any at the moment. */
  readonly reason: 'recipient' | 'sender';
  /** Code by which the provider names the failure. */
  readonly provider: string;

  constructor(reason: 'recipient' | 'sender', provider: string) {
    super(`not sent: ${provider}`);
    this.name = 'SendingFailed';
    this.reason = reason;
    this.provider = provider;
  }
}
