import { checkSetup, type Setup } from '@heron/engine/options/setup.ts';
import { type SetupDraft, typedSetup } from './setupDraft.ts';

/**
 * A set-up as it is typed, for a backtest: on paper, with the money that it is to trade with.
 *
 * @param capital of a live bot, in the product currency; null, or more than paper can have, for the paper capital of the draft
 * @returns null when it is wrong in what is shown of it: what its mode hides is left out if that is wrong
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
