import type { BotDetail } from '@heron/contract/bots/entities.ts';
import { createContext, type ReactNode, useContext, useMemo } from 'react';
import { type Reader, useReader } from '../../lib/reader.ts';
import { shownDecimals } from './shownDecimals.ts';

/** Decimals of the prices of a pair; null where nothing says how many: then a price shows what its size deserves. */
type DecimalsOf = (pair: string | null) => number | null;

const Decimals = createContext<DecimalsOf>(() => null);

interface PricesProps {
  /** Option `price_format` of the bot. */
  readonly mask: unknown;
  /** Tick size by pair, as far as it is known. */
  readonly ticks: Readonly<Record<string, string | null>>;
  readonly children: ReactNode;
}

/** Shows the prices inside as a bot wants them. */
export function Prices({ mask, ticks, children }: PricesProps) {
  const decimals = useMemo<DecimalsOf>(
    () => (pair) => shownDecimals(mask, pair === null ? null : (ticks[pair] ?? null)),
    [mask, ticks],
  );
  return <Decimals value={decimals}>{children}</Decimals>;
}

/** Shows the prices inside as this bot wants them. */
export function PricesOfBot({ bot, children }: { bot: BotDetail; children: ReactNode }) {
  // The same object while the ticks are: all prices of a screen depend on it.
  const key = JSON.stringify(bot.pairViews.map(({ pair, tickSize }) => [pair, tickSize ?? null]));
  const ticks = useMemo(() => Object.fromEntries(JSON.parse(key) as [string, string | null][]), [key]);
  return (
    <Prices mask={bot.options.price_format} ticks={ticks}>
      {children}
    </Prices>
  );
}

/** Decimals of the prices of a pair; null where they go by size. */
export function usePriceDecimals(pair: string | null): number | null {
  return useContext(Decimals)(pair);
}

/** The reader with the prices of a pair written as its bot wants them. @param pair null where it is not about one */
export function usePriceReader(pair: string | null): Reader {
  const reader = useReader();
  const decimals = usePriceDecimals(pair);
  return useMemo(() => {
    if (decimals === null) return reader;
    const price = (value: string | number) => reader.format.price(value, decimals);
    return { ...reader, format: { ...reader.format, price } };
  }, [reader, decimals]);
}
