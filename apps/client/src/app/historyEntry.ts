/** The app writes this state into each entry of the browser's history. */
export interface HistoryEntry {
  /** The id identifies the entry across reloads. */
  readonly id: string;
  /** The position in the history is larger for newer entries. */
  readonly index: number;
  /** Counts the entries since the app opened this stack at its root. */
  readonly depth: number;
  /** Marks the entry that the browser had when the app was loaded: Back from it leaves the app. */
  readonly isBase?: boolean;
}

/** Returns the current history entry; null when the app did not write it. */
export function currentEntry(): HistoryEntry | null {
  const { heron } = (history.state ?? {}) as { heron?: HistoryEntry };
  return heron ?? null;
}

export function pushEntry(entry: HistoryEntry, url: string): void {
  history.pushState({ heron: entry }, '', url);
}

export function replaceEntry(entry: HistoryEntry, url: string): void {
  history.replaceState({ heron: entry }, '', url);
}

/** Returns an id that no other entry has, even from an earlier load of the page. */
export function newEntryId(): string {
  return `${Date.now().toString(36)}${Math.random().toString(36).slice(2)}`;
}
