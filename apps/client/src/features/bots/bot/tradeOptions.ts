import type { BotDetail } from '@heron/contract/bots/entities.ts';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import { keepLocal, readLocal } from '../../../lib/local.ts';

/** How one trades by hand, for the person at this device. @see options.md 7 (trade) */
export interface TradeOptions {
  /** That an order which takes begins with, in percent. */
  readonly slippage: number;
  /** Orders are shown once more before they are sent. */
  readonly confirm: boolean;
}

/** `[least, greatest, step]`, in percent. */
export const SLIPPAGE = [0.1, 50, 0.1] as const;

export const TRADE_DEFAULTS: TradeOptions = { slippage: 2, confirm: true };

const KEY = 'heron.trade';

type Kept = Partial<Record<keyof TradeOptions, unknown>>;

/** Options as they were kept; what is missing or makes no sense is as it is by default. */
export function tradeOptionsOf({ slippage, confirm }: Kept): TradeOptions {
  const [least, greatest] = SLIPPAGE;
  return {
    slippage:
      typeof slippage === 'number' && slippage >= least && slippage <= greatest ? slippage : TRADE_DEFAULTS.slippage,
    confirm: typeof confirm === 'boolean' ? confirm : TRADE_DEFAULTS.confirm,
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

/** Whether an order is shown once more before it is sent: at an exchange always, whatever is kept. */
export function isAsked({ mode }: Pick<BotDetail, 'mode'>, { confirm }: TradeOptions): boolean {
  return mode !== 'paper' || confirm;
}
