import { openWallet } from '../../ledger/wallet.ts';
import { formatUnits, toUnits } from '../../money/units.ts';
import { beginBenchmark } from '../../state/benchmark.ts';
import { type Bot, rederive } from '../../state/bot.ts';
import { createBotState } from '../../state/botState.ts';
import { isBusy } from '../../state/pairActivity.ts';
import type { Refused } from '../../state/refusal.ts';

/**
 * Another venue, mode or currency has another account: nothing of the old one is carried over. Numbers of intents and
 * positions go on, so that none is used twice.
 *
 * @see docs/bot-lifecycle.md#when-option-changes-act
 */
export function beginAccount(bot: Bot): void {
  const { state } = bot;
  const fresh = createBotState(state.id, state.options, state.params);
  state.wallet = openWallet(toUnits(state.options.currency_capital));
  state.pairs = fresh.pairs;
  state.trades = 0;
  state.wins = 0;
  state.losses = 0;
  if (state.startedAt > 0) beginBenchmark(state);
  rederive(bot);
}

/**
 * Begins the paper account anew, with the capital that the options say now. Whether the bot runs stays as it is; a pair that
 * waits for the user still does. The pairs want a history again.
 *
 * @returns why not: real money cannot be begun anew, nor what is held or ordered
 * @see docs/paper.md#start-capital
 */
export function resetAccount(bot: Bot, at: number): Refused | null {
  const { state } = bot;
  if (state.options.mode === 'live') return { gate: 'not_ready', inputs: { flag: 'not_paper' } };
  if (state.pairs.some(isBusy)) return { gate: 'not_ready', inputs: { flag: 'not_flat' } };
  const paused = new Map(state.pairs.map((pair) => [pair.pair, pair.paused]));
  beginAccount(bot);
  for (const pair of state.pairs) pair.paused = paused.get(pair.pair) ?? null;
  // The same word as of an option with which another account begins: what is counted is counted from here.
  bot.observer.command(at, null, 'reset', { capital: formatUnits(state.wallet.start), acts: 'flat_reload' });
  return null;
}
