import type { GivenSetup } from './setup.ts';
import type { BotOptions } from './table.ts';

/** A set-up that a new bot can start from. Options that it leaves out take their defaults. */
export interface Template extends GivenSetup {
  readonly id: string;
  readonly options: Partial<BotOptions>;
}

/**
 * The templates, from the most cautious one to the one that never trades by itself. Each is valid on spot and on futures and
 * has no warnings. None sets the venue, the mode, the capital or the pairs, which the user chooses.
 */
export const TEMPLATES = [
  {
    id: 'cautious',
    options: {
      strategy: 'trend_ema',
      period: '4h',
      buy_pct: 10,
      max_buy_pair_count: 3,
      leverage: 2,
      stop_sell: [{ profit: 3, stop: 100 }],
      profit_callback_start: 4,
      profit_win: [{ profit: 8, stop: 50 }],
      quarentine_time: 1_440,
    },
    params: {},
  },
  {
    id: 'balanced',
    options: {
      strategy: 'macd',
      period: '1h',
      buy_pct: 20,
      max_buy_pair_count: 5,
      leverage: 3,
      stop_sell: [{ profit: 5, stop: 100 }],
      profit_callback_start: 6,
      profit_win: [{ profit: 15, stop: 50 }],
    },
    params: {},
  },
  {
    id: 'trend',
    options: {
      strategy: 'supertrend',
      period: '4h',
      buy_pct: 20,
      max_buy_pair_count: 5,
      leverage: 2,
      stop_sell: [{ profit: 8, stop: 100 }],
      profit_callback_start: 10,
      profit_callback: [{ profit: 60, stop: 100 }],
      profit_win: [],
    },
    params: {},
  },
  {
    id: 'grid',
    options: {
      strategy: 'grid',
      period: '15m',
      buy_pct: 50,
      max_buy_pair_count: 2,
      leverage: 2,
      stop_sell: [{ profit: 30, stop: 100 }],
    },
    params: { range_pct: 10, levels: 10 },
  },
  {
    id: 'dca',
    options: {
      strategy: 'dca',
      period: '15m',
      buy_pct: 40,
      max_buy_pair_count: 2,
      leverage: 2,
      stop_sell: [{ profit: 30, stop: 100 }],
    },
    params: {},
  },
  {
    id: 'manual',
    options: {
      strategy: 'manual',
      period: '15m',
      leverage: 2,
      stop_sell: [{ profit: 5, stop: 100 }],
      profit_callback_start: 5,
      profit_win: [{ profit: 20, stop: 50 }],
    },
    params: {},
  },
] as const satisfies readonly Template[];
