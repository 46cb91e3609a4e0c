import type { Text } from './item.ts';

/** A venue of the option `exchange`. @see options.md 2.1 "Exchange entries" */
export interface ExchangeEntry {
  readonly name: string;
  readonly title: Text;
  /** Positions on margin, long and short; never together with `defi`. */
  readonly future: boolean;
  /** Swaps on a chain: no order book, no maker orders. */
  readonly defi: boolean;
  /** Takes stop orders, which sell also while Heron is down. */
  readonly stops: boolean;
  /** Default port of its worker. */
  readonly port: number;
}

/** Every venue that the options know. Which of them can be traded on is for the host to say. */
export const EXCHANGES = [
  {
    name: 'binance',
    title: { zh: '币安现货', en: 'Binance spot' },
    future: false,
    defi: false,
    stops: true,
    port: 17810,
  },
  {
    name: 'binanceusdm',
    title: { zh: '币安U本位合约', en: 'Binance USD-M futures' },
    future: true,
    defi: false,
    stops: true,
    port: 17811,
  },
  { name: 'mexc', title: { zh: 'MEXC 现货', en: 'MEXC spot' }, future: false, defi: false, stops: false, port: 17812 },
  {
    name: 'pancakeswap',
    title: { zh: 'PancakeSwap', en: 'PancakeSwap' },
    future: false,
    defi: true,
    stops: false,
    port: 17813,
  },
  { name: 'uniswap', title: { zh: 'Uniswap', en: 'Uniswap' }, future: false, defi: true, stops: false, port: 17814 },
] as const satisfies readonly ExchangeEntry[];
