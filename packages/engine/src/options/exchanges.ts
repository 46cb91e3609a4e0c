import type { Text } from './item.ts';

/** An exchange as the options know it, in whichever environment. @see docs/options.md#exchange */
export interface ExchangeEntry {
  readonly name: 'binance' | 'binanceusdm' | 'mexc' | 'pancakeswap' | 'uniswap';
  readonly title: Text;
  /** One sentence for people who choose an exchange. */
  readonly description: Text;
  /** Its website. */
  readonly link: string;
  /** Positions on margin, long and short; never together with `defi`. */
  readonly future: boolean;
  /** Swaps on a chain: no order book, no maker orders. */
  readonly defi: boolean;
  /** Accepts stop orders, which sell also while Heron is down. */
  readonly stops: boolean;
  /** Accepts Ed25519 keys beside HMAC keys. */
  readonly ed25519: boolean;
}

/** Every exchange that the options know. The bot host says which of them it can trade on. */
export const EXCHANGES = [
  {
    name: 'binance',
    title: { zh: '币安现货', en: 'Binance spot' },
    description: { zh: '全球成交量最大的现货交易所。', en: 'The spot exchange with the largest volume.' },
    link: 'https://www.binance.com',
    future: false,
    defi: false,
    stops: true,
    ed25519: true,
  },
  {
    name: 'binanceusdm',
    title: { zh: '币安U本位合约', en: 'Binance USD-M futures' },
    description: {
      zh: '以 USDT 保证金结算的永续合约，可做多做空，支持杠杆。',
      en: 'Perpetual futures margined in USDT: long and short, with leverage.',
    },
    link: 'https://www.binance.com/futures',
    future: true,
    defi: false,
    stops: true,
    ed25519: true,
  },
  {
    name: 'mexc',
    title: { zh: 'MEXC 现货', en: 'MEXC spot' },
    description: {
      zh: '币种丰富的现货交易所，不支持止损委托。',
      en: 'A spot exchange with many coins; it has no stop orders.',
    },
    link: 'https://www.mexc.com',
    future: false,
    defi: false,
    stops: false,
    ed25519: false,
  },
  {
    name: 'pancakeswap',
    title: { zh: 'PancakeSwap', en: 'PancakeSwap' },
    description: { zh: 'BNB 链上的去中心化交易所。', en: 'A decentralised exchange on BNB Chain.' },
    link: 'https://pancakeswap.finance',
    future: false,
    defi: true,
    stops: false,
    ed25519: false,
  },
  {
    name: 'uniswap',
    title: { zh: 'Uniswap', en: 'Uniswap' },
    description: {
      zh: '以太坊及其二层网络上的去中心化交易所。',
      en: 'A decentralised exchange on Ethereum and its layer 2s.',
    },
    link: 'https://uniswap.org',
    future: false,
    defi: true,
    stops: false,
    ed25519: false,
  },
] as const satisfies readonly ExchangeEntry[];

export type ExchangeName = ExchangeEntry['name'];
