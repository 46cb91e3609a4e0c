/** State that the app writes into each entry of the browser's history. */
export interface HistoryEntry {
  /** Identifies the entry across reloads. */
  readonly id: string;
  /** Position in the history; larger is newer. */
  readonly index: number;
  /** Entries since the app opened this part at its root. */
  readonly depth: number;
  /** The entry that the browser had when the app was loaded: Back from it leaves the app. */
  readonly isBase?: boolean;
}

/** The entry that the browser is at; null when somebody else has written it. */
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

/** An id that no other entry has, also not one of an earlier load of the page. */
export function newEntryId(): string {
  return `${Date.now().toString(36)}${Math.random().toString(36).slice(2)}`;
}
