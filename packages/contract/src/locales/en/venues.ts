import type { EnvironmentTitleTable, ExchangeTextTable } from '../textTables.ts';

/** English names of the environments. */
export const environments: EnvironmentTitleTable = { demo: 'Demo market', real: 'Real market', testnet: 'Testnet' };

/** English names and descriptions of the exchanges. */
export const exchanges: ExchangeTextTable = {
  binance: { title: 'Binance spot', description: 'The spot exchange with the largest volume.' },
  binanceusdm: {
    title: 'Binance USD-M futures',
    description: 'Perpetual futures margined in USDT: long and short, with leverage.',
  },
  mexc: {
    title: 'MEXC spot',
    description: 'A spot exchange with many coins; it has no stop orders.',
  },
  pancakeswap: { title: 'PancakeSwap', description: 'A decentralised exchange on BNB Chain.' },
  uniswap: {
    title: 'Uniswap',
    description: 'A decentralised exchange on Ethereum and its layer 2s.',
  },
};
