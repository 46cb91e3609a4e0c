/** A passkey offer at a field needs these functions of the browser, the server and the page. */
export interface FieldCeremony<Question, Answer> {
  /**
   * Settles when the most recent dialog is closed, with whether the user picked a passkey. Each dialog has its own
   * promise.
   */
  dialog(): Promise<boolean>;
  /** Settles when the page is visible. */
  seen(): Promise<void>;
  /** Requests a challenge from the server. It is valid for `lastsMs`. */
  question(): Promise<{ readonly question: Question; readonly lastsMs: number }>;
  /** Starts the offer of the browser for this challenge. Rejects with `AbortError` when it was stopped. */
  offer(question: Question): Promise<Answer>;
  /** Stops the current passkey request of the browser. */
  stop(): void;
}

/** A challenge is used for this part of its lifetime; the rest is left for the user's confirmation. */
const FRESH = 0.8;

/**
 * Offers passkeys at a field until the user picks one. It replaces its challenge before it expires. It yields to a
 * dialog: a browser runs one of the two at a time, and `stop` must not close the dialog.
 *
 * @param removed aborted when the field is removed
 * @returns null when the browser cannot, the person has picked one in a dialog, or the field is gone
 */
export async function offerAtField<Question, Answer>(
  removed: AbortSignal,
  ceremony: FieldCeremony<Question, Answer>,
): Promise<Answer | null> {
  const { dialog, stop } = ceremony;
  const before = dialog();
  while (!removed.aborted) {
    const closed = dialog();
    // A user who picked a passkey in the dialog is already being signed in.
    if ((await closed) && closed !== before) return null;
    await ceremony.seen();
    const { question, lastsMs } = await ceremony.question();
    if (removed.aborted) break;
    if (dialog() !== closed) continue;
    const aged = setTimeout(stop, lastsMs * FRESH);
    removed.addEventListener('abort', stop);
    try {
      return await ceremony.offer(question);
    } catch (cause) {
      if ((cause as Error).name !== 'AbortError') return null;
    } finally {
      clearTimeout(aged);
      removed.removeEventListener('abort', stop);
    }
  }
  return null;
}
