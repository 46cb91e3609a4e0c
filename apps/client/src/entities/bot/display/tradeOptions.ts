import type { BotDetail } from '@heron/contract/bots/entities.ts';
import type { CSSProperties } from 'react';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import { keepLocal, readLocal } from '../../../lib/local.ts';
import { type ChartOptions, useChartOptions } from './chartOptions.ts';

/** How one trades by hand, for the person at this device. @see docs/display.md#orders-by-hand */
export interface TradeOptions {
  /** That an order which takes begins with, in percent. */
  readonly slippage: number;
  /** Orders are shown once more before they are sent. */
  readonly confirm: boolean;
  /** Colour of the buy button and of rising prices where one trades, `#rrggbb`; null: that of rising candles. */
  readonly upColor: string | null;
}

/** `[least, greatest, step]`, in percent. */
export const SLIPPAGE = [0.1, 50, 0.1] as const;

export const TRADE_DEFAULTS: TradeOptions = { slippage: 2, confirm: true, upColor: null };

const KEY = 'heron.trade';

type Kept = Partial<Record<keyof TradeOptions, unknown>>;

/** Options as they were kept; what is missing or makes no sense is as it is by default. */
export function tradeOptionsOf({ slippage, confirm, upColor }: Kept): TradeOptions {
  const [least, greatest] = SLIPPAGE;
  return {
    slippage:
      typeof slippage === 'number' && slippage >= least && slippage <= greatest ? slippage : TRADE_DEFAULTS.slippage,
    confirm: typeof confirm === 'boolean' ? confirm : TRADE_DEFAULTS.confirm,
    upColor: typeof upColor === 'string' && /^#[0-9a-f]{6}$/i.test(upColor) ? upColor.toLowerCase() : null,
  };
}

const store = createStore<TradeOptions>(() => tradeOptionsOf((readLocal(KEY) as Kept | null) ?? {}));

/** Changes options for all bots at once; where storage is refused they last until the page closes. */
export function changeTrade(change: Partial<TradeOptions>): void {
  const options = tradeOptionsOf({ ...store.getState(), ...change });
  store.setState(options, true);
  keepLocal(KEY, options);
}

/** The options in force, in a component. */
export function useTradeOptions(): TradeOptions {
  return useStore(store);
}

/**
 * Returns the colour of the buy button and of rising prices where one trades: the one chosen for trading, else that of rising
 * candles. Null where both use the colour that gains have everywhere in the app.
 *
 * @see docs/display.md#orders-by-hand
 */
export function tradeUpColor(
  { upColor }: Pick<TradeOptions, 'upColor'>,
  chart: Pick<ChartOptions, 'colorIntel' | 'upColor'>,
): string | null {
  return upColor ?? (chart.colorIntel ? null : chart.upColor);
}

/** Returns the colours of a trading element by the options in force. */
export function useTradeColours(): CSSProperties | undefined {
  const colour = tradeUpColor(useTradeOptions(), useChartOptions());
  if (colour === null) return undefined;
  return { '--buy-fill': colour, '--on-buy': readableOn(colour), '--rising': colour } as CSSProperties;
}

/** Black or white, whichever has more contrast with a colour. @see WCAG 2.2, relative luminance */
export function readableOn(colour: string): '#000' | '#fff' {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  const luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  return (luminance + 0.05) ** 2 > 0.05 * 1.05 ? '#000' : '#fff';
}

/** Whether an order is shown once more before it is sent: at an exchange always, whatever is kept. */
export function isAsked({ mode }: Pick<BotDetail, 'mode'>, { confirm }: TradeOptions): boolean {
  return mode !== 'paper' || confirm;
}
