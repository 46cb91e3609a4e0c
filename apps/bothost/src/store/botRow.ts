/** A bot as its owner has configured it: a row of the table `bots`. */
export interface BotRow {
  readonly id: string;
  readonly owner: string;
  /** The venue that it trades on; it never changes. */
  readonly venue: string;
  /** Its owner may change it while it runs. */
  name: string;
  readonly options: Record<string, unknown>;
  readonly params: Record<string, unknown>;
  /** The key of the account on which a live bot trades; null on paper. */
  readonly keyId: string | null;
  /** The share of the account that a live bot may use; null for all of it. */
  readonly allotment: string | null;
  readonly wanted: 'running' | 'stopped';
  readonly createdAt: number;
}

/** Returns whether a bot trades on paper or live. */
export function modeOf({ options }: { readonly options: { readonly mode?: unknown } }): 'paper' | 'live' {
  return options.mode === 'live' ? 'live' : 'paper';
}
