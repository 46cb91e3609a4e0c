/** The browser, the server and the page that a passkey offer at a field needs. */
export interface FieldCeremony<Question, Answer> {
  /** Settles when the dialog that was asked for last is closed: whether the person picked a passkey in it. Another promise for each. */
  dialog(): Promise<boolean>;
  /** Settles when somebody looks at the page. */
  seen(): Promise<void>;
  /** Asks the server. `lastsMs`: for how long it takes an answer. */
  question(): Promise<{ readonly question: Question; readonly lastsMs: number }>;
  /** Has the browser offer what answers the question. Rejects with `AbortError` when it was stopped. */
  offer(question: Question): Promise<Answer>;
  /** Stops whatever the browser asks or offers. */
  stop(): void;
}

/** Part of its time for which a question of the server is used: what is left is for finding the finger. */
const FRESH = 0.8;

/**
 * Offers passkeys at a field until the person picks one. Asks the server anew before its question grows old, and makes way for
 * a dialog: a browser does one of the two at a time, and what is stopped here must not be the dialog.
 *
 * @param leaving aborted when the field goes away
 * @returns null when the browser cannot, the person has picked one in a dialog, or the field is gone
 */
export async function offerAtField<Question, Answer>(
  leaving: AbortSignal,
  ceremony: FieldCeremony<Question, Answer>,
): Promise<Answer | null> {
  const { dialog, stop } = ceremony;
  const before = dialog();
  while (!leaving.aborted) {
    const closed = dialog();
    // Who has picked one there is on the way in already.
    if ((await closed) && closed !== before) return null;
    await ceremony.seen();
    const { question, lastsMs } = await ceremony.question();
    if (leaving.aborted) break;
    if (dialog() !== closed) continue;
    const aged = setTimeout(stop, lastsMs * FRESH);
    leaving.addEventListener('abort', stop);
    try {
      return await ceremony.offer(question);
    } catch (cause) {
      if ((cause as Error).name !== 'AbortError') return null;
    } finally {
      clearTimeout(aged);
      leaving.removeEventListener('abort', stop);
    }
  }
  return null;
}
