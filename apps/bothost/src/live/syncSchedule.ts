/** Decides when the account snapshots of a live bot are read. */
export interface SyncSchedule {
  /** Reads one account snapshot; calls during a running snapshot share it. @returns whether it succeeded */
  sync(): Promise<boolean>;
  /** Reads a snapshot that starts from now on, because a running one may miss the newest changes. */
  syncFromNow(): void;
  /**
   * Schedules the next snapshot. A snapshot that is due sooner keeps its time: a stream that is lost again and again must not
   * postpone it.
   */
  schedule(): void;
  cancel(): void;
}

export interface SyncScheduleDeps {
  /** Reads one account snapshot. @returns whether it succeeded */
  read(): Promise<boolean>;
  /** Returns the time until the next snapshot, ms. */
  delay(): number;
  closed(): boolean;
}

export function createSyncSchedule({ read, delay, closed }: SyncScheduleDeps): SyncSchedule {
  let timer: NodeJS.Timeout | null = null;
  /** When the timer fires, by `performance.now()`. */
  let dueAt = 0;
  let syncing: Promise<boolean> | null = null;

  function sync(): Promise<boolean> {
    cancel();
    syncing ??= read().finally(() => {
      syncing = null;
      schedule();
    });
    return syncing;
  }

  function schedule(): void {
    if (closed()) return;
    const wait = delay();
    const at = performance.now() + wait;
    if (timer !== null && dueAt <= at) return;
    cancel();
    dueAt = at;
    timer = setTimeout(() => void sync(), wait);
  }

  function cancel(): void {
    if (timer) clearTimeout(timer);
    timer = null;
  }

  return {
    sync,
    syncFromNow: () => void (syncing === null ? sync() : syncing.then(sync)),
    schedule,
    cancel,
  };
}
