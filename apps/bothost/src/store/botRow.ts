/** A bot as its owner made it: a row of the table `bots`. */
export interface BotRow {
  readonly id: string;
  readonly owner: string;
  /** The venue that it trades on; it never changes. */
  readonly venue: string;
  readonly name: string;
  readonly options: Record<string, unknown>;
  readonly params: Record<string, unknown>;
  /** Of a live bot: the account that it trades on. */
  readonly keyId: string | null;
  /** Of a live bot: its share of the account; null for all of it. */
  readonly allotment: string | null;
  readonly wanted: 'running' | 'stopped';
  readonly createdAt: number;
}

/** Returns whether a bot trades on paper or live. */
export function modeOf({ options }: { readonly options: { readonly mode?: unknown } }): 'paper' | 'live' {
  return options.mode === 'live' ? 'live' : 'paper';
}
