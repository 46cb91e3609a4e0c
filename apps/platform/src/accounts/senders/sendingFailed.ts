/** A message could not be sent. The error may be logged, so it contains neither text nor recipient. */
export class SendingFailed extends Error {
  /** `recipient`: this mailbox or number does not accept messages; `sender`: no message can be sent at the moment. */
  readonly reason: 'recipient' | 'sender';
  /** Error code of the provider. */
  readonly provider: string;

  constructor(reason: 'recipient' | 'sender', provider: string) {
    super(`not sent: ${provider}`);
    this.name = 'SendingFailed';
    this.reason = reason;
    this.provider = provider;
  }
}
