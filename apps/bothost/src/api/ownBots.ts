import type { PairState } from '@heron/engine/state/botState.ts';
import { isWatched } from '@heron/engine/state/pairActivity.ts';
import type { BotRow } from '../store/botRow.ts';
import type { StoredBot } from '../store/botStore.ts';
import { readSaved } from '../store/savedBot.ts';
import { isActive } from '../store/status.ts';

export function isLive({ options }: BotRow): boolean {
  return options.mode === 'live';
}

/** Whether a bot runs, or its owner has started it. */
export function runsNow({ row, session }: Pick<StoredBot, 'row' | 'session'>): boolean {
  return row.wanted === 'running' || isActive(readSaved(row, session).session.state.bot.status);
}

/** Whether a bot can have no open order, and no position that `close` would sell. */
export function hasNothingToHalt({ row, session }: StoredBot, close: boolean): boolean {
  const saved = readSaved(row, session);
  if (saved.unreadable !== null || row.wanted === 'running' || isActive(saved.session.state.bot.status)) return false;
  return !close || saved.session.state.bot.pairs.every(({ position }) => position === null);
}

/** Whether the saved state of a bot does not show the end of each of its orders. */
export function mayHaveOrders({ row, session }: StoredBot): boolean {
  const saved = readSaved(row, session);
  if (saved.unreadable !== null) return true;
  return 'orders' in saved.session.state && saved.session.state.orders.length > 0;
}

/** Returns the names of the pairs that a bot trades or manages. */
export function watchedPairs(pairs: readonly PairState[]): string[] {
  return pairs.filter(isWatched).map(({ pair }) => pair);
}
