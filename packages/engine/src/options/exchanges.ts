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
}

/** Every exchange. The bot host reports which of them it can trade on. */
export const EXCHANGES = [
  {
    name: 'binance',
    link: 'https://www.binance.com',
    future: false,
    defi: false,
    stops: true,
    ed25519: true,
  },
  {
    name: 'binanceusdm',
    link: 'https://www.binance.com/futures',
    future: true,
    defi: false,
    stops: true,
    ed25519: true,
  },
  {
    name: 'mexc',
    link: 'https://www.mexc.com',
    future: false,
    defi: false,
    stops: false,
    ed25519: false,
  },
  {
    name: 'pancakeswap',
    link: 'https://pancakeswap.finance',
    future: false,
    defi: true,
    stops: false,
    ed25519: false,
  },
  {
    name: 'uniswap',
    link: 'https://uniswap.org',
    future: false,
    defi: true,
    stops: false,
    ed25519: false,
  },
] as const satisfies readonly ExchangeEntry[];

export type ExchangeName = ExchangeEntry['name'];
