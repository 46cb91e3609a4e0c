/** An exchange, whatever its environment. @see docs/options.md#exchange */
export interface ExchangeEntry {
  readonly name: 'binance' | 'binanceusdm' | 'mexc' | 'pancakeswap' | 'uniswap';
  /** Its website. */
  readonly link: string;
  /** Positions on margin, long and short; never together with `defi`. */
  readonly future: boolean;
  /** Swaps on a blockchain: no order book and no maker orders. */
  readonly defi: boolean;
  /** Accepts stop orders, which trigger even while Heron is down. */
  readonly stops: boolean;
  /** Accepts Ed25519 keys beside HMAC keys. */
  readonly ed25519: boolean;
  /** Fees of an account without discounts, in percent of the order value. On DeFi both are the fee of the usual pool. */
  readonly fees: { readonly maker: number; readonly taker: number };
  /** Fees that a pool can have, in percent of the swap; absent where no pools are traded. */
  readonly poolFees?: readonly number[];
}

/**
 * Every exchange. The bot host reports which of them it can trade on. The fees are those of the lowest account tier; those of
 * Binance and MEXC are also the fees that the exchanges report for a new account.
 */
export const EXCHANGES = [
  {
    name: 'binance',
    link: 'https://www.binance.com',
    future: false,
    defi: false,
    stops: true,
    ed25519: true,
    fees: { maker: 0.1, taker: 0.1 },
  },
  {
    name: 'binanceusdm',
    link: 'https://www.binance.com/futures',
    future: true,
    defi: false,
    stops: true,
    ed25519: true,
    fees: { maker: 0.02, taker: 0.05 },
  },
  {
    name: 'mexc',
    link: 'https://www.mexc.com',
    future: false,
    defi: false,
    stops: false,
    ed25519: false,
    fees: { maker: 0, taker: 0.05 },
  },
  {
    name: 'pancakeswap',
    link: 'https://pancakeswap.finance',
    future: false,
    defi: true,
    stops: false,
    ed25519: false,
    fees: { maker: 0.25, taker: 0.25 },
    poolFees: [0.01, 0.05, 0.25, 1],
  },
  {
    name: 'uniswap',
    link: 'https://uniswap.org',
    future: false,
    defi: true,
    stops: false,
    ed25519: false,
    fees: { maker: 0.3, taker: 0.3 },
    poolFees: [0.01, 0.05, 0.3, 1],
  },
] as const satisfies readonly ExchangeEntry[];

export type ExchangeName = ExchangeEntry['name'];
