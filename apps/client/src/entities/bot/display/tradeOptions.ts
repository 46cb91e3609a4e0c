import type { BotDetail } from '@heron/contract/bots/entities.ts';
import type { CSSProperties } from 'react';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import { readLocal, storeLocal } from '../../../lib/local.ts';
import { type ChartOptions, useChartOptions } from './chartOptions.ts';

/** Holds the options of manual orders on this device. @see docs/display.md#orders-by-hand */
export interface TradeOptions {
  /** Default slippage limit of a taker order, in percent. */
  readonly slippage: number;
  /** The user confirms an order before it is sent. */
  readonly confirm: boolean;
  /** Colour of the buy button and of rising prices on trading elements, `#rrggbb`; null for the colour of rising candles. */
  readonly upColor: string | null;
}

/** `[min, max, step]`, in percent. */
export const SLIPPAGE = [0.1, 50, 0.1] as const;

export const TRADE_DEFAULTS: TradeOptions = { slippage: 2, confirm: true, upColor: null };

const KEY = 'heron.trade';

type StoredOptions = Partial<Record<keyof TradeOptions, unknown>>;

/** Completes stored options. A missing or invalid option gets its default. */
export function tradeOptionsOf({ slippage, confirm, upColor }: StoredOptions): TradeOptions {
  const [min, max] = SLIPPAGE;
  return {
    slippage: typeof slippage === 'number' && slippage >= min && slippage <= max ? slippage : TRADE_DEFAULTS.slippage,
    confirm: typeof confirm === 'boolean' ? confirm : TRADE_DEFAULTS.confirm,
    upColor: typeof upColor === 'string' && /^#[0-9a-f]{6}$/i.test(upColor) ? upColor.toLowerCase() : null,
  };
}

const store = createStore<TradeOptions>(() => tradeOptionsOf((readLocal(KEY) as StoredOptions | null) ?? {}));

/** Changes options for all bots at once. Where the browser refuses storage, the options last until the page closes. */
export function changeTrade(change: Partial<TradeOptions>): void {
  const options = tradeOptionsOf({ ...store.getState(), ...change });
  store.setState(options, true);
  storeLocal(KEY, options);
}

/** Returns the options in force. */
export function useTradeOptions(): TradeOptions {
  return useStore(store);
}

/**
 * Returns the colour of the buy button and of rising prices: the one chosen for trading, else that of rising candles. Null
 * where both use the app's colour for gains.
 *
 * @see docs/display.md#orders-by-hand
 */
export function tradeUpColor(
  { upColor }: Pick<TradeOptions, 'upColor'>,
  chart: Pick<ChartOptions, 'colorIntel' | 'upColor'>,
): string | null {
  return upColor ?? (chart.colorIntel ? null : chart.upColor);
}

/** Returns the CSS variables of a trading element for the options in force. */
export function useTradeColours(): CSSProperties | undefined {
  const colour = tradeUpColor(useTradeOptions(), useChartOptions());
  if (colour === null) return undefined;
  return { '--buy-fill': colour, '--on-buy': readableOn(colour), '--rising': colour } as CSSProperties;
}

/** Returns black or white, whichever has more contrast with a colour. @see WCAG 2.2, relative luminance */
export function readableOn(colour: string): '#000' | '#fff' {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  const luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  return (luminance + 0.05) ** 2 > 0.05 * 1.05 ? '#000' : '#fff';
}

/**
 * Returns whether the user confirms an order before it is sent. Live orders always need confirmation, whatever is stored.
 */
export function isAsked({ mode }: Pick<BotDetail, 'mode'>, { confirm }: TradeOptions): boolean {
  return mode !== 'paper' || confirm;
}
