/** `setTimeout` fires at once beyond 2^31 ms; a longer wait is split. */
const MAX_TIMEOUT_MS = 3_600_000;

/** The timer that fires when the session of a bot needs a `timer` event. */
export interface WakeTimer {
  /** Sets the timer to the time that the session needs now. Does nothing while a `timer` event is queued. */
  plan(): void;
  /** Must be called when the queued `timer` event is handled. */
  onHandled(): void;
  close(): void;
}

/**
 * @param nextAt returns the time of the next `timer` event, in ms; null for none
 * @param onDue queues a `timer` event
 */
export function createWakeTimer(nextAt: () => number | null, now: () => number, onDue: () => void): WakeTimer {
  let timer: NodeJS.Timeout | null = null;
  let plannedAt = 0;
  let queued = false;

  function cancel(): void {
    if (timer) clearTimeout(timer);
    timer = null;
  }

  function plan(): void {
    if (queued) return;
    const dueAt = nextAt();
    // This runs after every event, and the time seldom changes.
    if (timer && dueAt === plannedAt) return;
    cancel();
    if (dueAt === null) return;
    plannedAt = dueAt;
    timer = setTimeout(
      () => {
        timer = null;
        if (now() < dueAt) return plan();
        queued = true;
        onDue();
      },
      Math.min(Math.max(0, dueAt - now()), MAX_TIMEOUT_MS),
    );
  }

  return {
    plan,
    onHandled() {
      queued = false;
    },
    close: cancel,
  };
}
