import type { BotDetail } from '@heron/contract/bots/entities.ts';
import { createContext, type ReactNode, useContext, useMemo } from 'react';
import { type Preferences, usePreferences } from '../../lib/preferences.ts';
import { type PlanName, planNameOf } from './planName.ts';
import { shownDecimals } from './shownDecimals.ts';

/** Returns the decimals of a pair's prices; null without mask and tick size, when the size of a price decides. */
type DecimalsOf = (pair: string | null) => number | null;

const Decimals = createContext<DecimalsOf>(() => null);

const Plan = createContext<PlanName | null>(null);

interface PricesProps {
  /** Option `price_format` of the bot. */
  readonly mask: unknown;
  /** Tick size by pair, where it is known. */
  readonly ticks: Readonly<Record<string, string | null>>;
  /** Plan of the bot, after which its orders are named; null for strategies with signals. */
  readonly plan?: PlanName | null;
  readonly children: ReactNode;
}

/** Formats the prices inside by a mask and tick sizes, and names plan orders. */
export function Prices({ mask, ticks, plan = null, children }: PricesProps) {
  const decimals = useMemo<DecimalsOf>(
    () => (pair) => shownDecimals(mask, pair === null ? null : (ticks[pair] ?? null)),
    [mask, ticks],
  );
  return (
    <Decimals value={decimals}>
      <Plan value={plan}>{children}</Plan>
    </Decimals>
  );
}

/** Formats the prices inside by the options of this bot. */
export function PricesOfBot({ bot, children }: { bot: BotDetail; children: ReactNode }) {
  // Keeps the same object while the tick sizes are the same, since all prices of a screen depend on it.
  const key = JSON.stringify(bot.pairViews.map(({ pair, tickSize }) => [pair, tickSize ?? null]));
  const ticks = useMemo(() => Object.fromEntries(JSON.parse(key) as [string, string | null][]), [key]);
  return (
    <Prices mask={bot.options.price_format} ticks={ticks} plan={planNameOf(bot.strategy.id, bot.strategy.params)}>
      {children}
    </Prices>
  );
}

/** Returns the decimals of a pair's prices; null where the size of a price decides. */
export function usePriceDecimals(pair: string | null): number | null {
  return useContext(Decimals)(pair);
}

/** Returns the preferences with prices formatted by the bot's options. @param pair null where no single pair is meant */
export function usePricePreferences(pair: string | null): Preferences & { readonly plan: PlanName | null } {
  const preferences = usePreferences();
  const decimals = usePriceDecimals(pair);
  const plan = useContext(Plan);
  return useMemo(() => {
    if (decimals === null) return { ...preferences, plan };
    const price = (value: string | number) => preferences.format.price(value, decimals);
    return { ...preferences, plan, format: { ...preferences.format, price } };
  }, [preferences, decimals, plan]);
}
