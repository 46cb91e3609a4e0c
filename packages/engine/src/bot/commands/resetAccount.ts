import { openWallet } from '../../ledger/wallet.ts';
import { formatUnits, toUnits } from '../../money/units.ts';
import { beginBenchmark } from '../../state/benchmark.ts';
import { type Bot, rederive } from '../../state/bot.ts';
import { createBotState } from '../../state/botState.ts';
import { isBusy } from '../../state/pairActivity.ts';
import type { Refused } from '../../state/refusal.ts';

/**
 * Starts a new account after a change of venue, mode or currency. Ids of parent orders and positions continue, so that none is
 * used twice. Paused pairs stay paused: only the user resumes them.
 *
 * @see docs/bot-lifecycle.md#when-option-changes-act
 */
export function beginAccount(bot: Bot): void {
  const { state } = bot;
  const fresh = createBotState(state.id, state.options, state.params);
  const pauses = new Map(state.pairs.map(({ pair, paused }) => [pair, paused]));
  for (const pair of fresh.pairs) pair.paused = pauses.get(pair.pair) ?? null;
  state.wallet = openWallet(toUnits(state.options.currency_capital));
  state.pairs = fresh.pairs;
  state.trades = 0;
  state.wins = 0;
  state.losses = 0;
  if (state.startedAt > 0) beginBenchmark(state);
  rederive(bot);
}

/**
 * Resets the paper account to the capital of the options. The bot keeps its status and the pauses of its pairs. The pairs need
 * a history again.
 *
 * @returns the refusal for a live account, a position or an open order, else null
 * @see docs/paper.md#start-capital
 */
export function resetAccount(bot: Bot, at: number): Refused | null {
  const { state } = bot;
  if (state.options.mode === 'live') return { gate: 'not_ready', inputs: { flag: 'not_paper' } };
  if (state.pairs.some(isBusy)) return { gate: 'not_ready', inputs: { flag: 'not_flat' } };
  beginAccount(bot);
  // Readers of the journal start their totals at this entry, as after an option that starts a new account.
  bot.observer.command(at, null, 'reset', { capital: formatUnits(state.wallet.start), acts: 'flat_reload' });
  return null;
}
