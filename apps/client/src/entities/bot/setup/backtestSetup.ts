import { checkSetup, type Setup } from '@heron/engine/options/setup.ts';
import { type SetupDraft, typedSetup } from './setupDraft.ts';

/**
 * Returns the typed setup for a backtest: in paper mode, with the capital that it is to trade with.
 *
 * @param capital the capital of a live bot in the product currency; null, or more than paper allows, for the paper capital
 *   of the draft
 * @returns null when a visible option is invalid; invalid options that the mode hides are left out
 */
export function backtestSetup(draft: SetupDraft, capital: number | null): Setup | null {
  const given = typedSetup({ ...draft, texts: { ...draft.texts, mode: 'paper' } });
  const shown = { ...typedSetup(draft).options, mode: 'paper' };
  const both = [given.options, shown];
  const own = capital !== null && capital > 0 ? both.map((options) => ({ ...options, currency_capital: capital })) : [];
  for (const options of [...own, ...both]) {
    const setup = checkSetup({ ...given, options });
    if (setup.ok) return setup;
  }
  return null;
}
