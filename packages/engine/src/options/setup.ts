import { chooseStrategy } from '../strategies/catalogue.ts';
import type { Params, Strategy } from '../strategies/strategy.ts';
import { lookbackFaults } from './crossChecks.ts';
import type { OptionFault } from './fault.ts';
import { planFaults } from './planFaults.ts';
import { type BotOptions, defaultOptions } from './table.ts';
import { validateOptions } from './validate.ts';

/** Options and parameters before they are checked. Missing ones take their defaults. */
export interface GivenSetup {
  readonly options: Readonly<Record<string, unknown>>;
  readonly params: Readonly<Record<string, unknown>>;
}

/** Complete options with their strategy and its parameters. */
export interface Setup {
  readonly options: BotOptions;
  readonly strategy: Strategy;
  readonly params: Params;
}

/**
 * Completes and checks options together with the parameters of their strategy.
 *
 * @returns the whole setup, or every fault found
 * @see docs/options.md#english, docs/options.md#refused-together
 */
export function checkSetup(given: GivenSetup): ({ ok: true } & Setup) | { ok: false; faults: OptionFault[] } {
  const checked = validateOptions(given.options);
  const faults = checked.ok ? [] : checked.faults;
  // An invalid name was reported already.
  if (faults.some(({ option }) => option === 'strategy')) return { ok: false, faults };
  const id = given.options.strategy ?? defaultOptions().strategy;
  const chosen = chooseStrategy(String(id), given.params);
  if (!chosen.ok) return { ok: false, faults: [...faults, ...chosen.faults] };
  if (!checked.ok) return { ok: false, faults };
  const { options } = checked;
  const { strategy, params } = chosen;
  const between = [...lookbackFaults(options, strategy.warmup(params)), ...planFaults(options, params)];
  return between.length > 0 ? { ok: false, faults: between } : { ok: true, options, strategy, params };
}
