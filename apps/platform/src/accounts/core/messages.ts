/** An e-mail. Both bodies have the same content. */
export type Email = {
  /** Address from `parseEmail`, which accepts neither a second address nor a line break. */
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
};

/** A text message: a code or a security alert. */
export type Sms = {
  /** Number that `parsePhone` has normalised. */
  readonly to: string;
  /** Text for providers that accept any text. */
  readonly text: string;
  /** Code for providers that insert it into an approved template; null for a security alert. */
  readonly code: string | null;
};

/** Sends one kind of message. @throws SendingFailed */
export type Sender<Message> = (message: Message) => Promise<void>;

/** Sends e-mails and text messages to users. */
export type Messenger = {
  /** Kinds of messages that are sent. All others are stored in the outbox. */
  readonly sends: {
    readonly email: boolean;
    readonly sms: boolean;
    /** False when the SMS provider sends approved templates only and has no template for security alerts. */
    readonly securityAlerts: boolean;
  };
  /** @throws CallError `sending_failed`, `recipient_refused` */
  sendEmail(email: Email): Promise<void>;
  /** @throws CallError `sending_failed`, `recipient_refused` */
  sendSms(sms: Sms): Promise<void>;
};
