import type { EnvironmentTitleTable, ExchangeTextTable } from '../textTables.ts';

/** Chinese names of the environments. */
export const environments: EnvironmentTitleTable = { demo: '演示市场', real: '真实市场', testnet: '测试网' };

/** Chinese names and descriptions of the exchanges. */
export const exchanges: ExchangeTextTable = {
  binance: { title: '币安现货', description: '全球成交量最大的现货交易所。' },
  binanceusdm: { title: '币安U本位合约', description: '以 USDT 保证金结算的永续合约，可做多做空，支持杠杆。' },
  mexc: { title: 'MEXC 现货', description: '币种丰富的现货交易所，不支持止损委托。' },
  pancakeswap: { title: 'PancakeSwap', description: 'BNB 链上的去中心化交易所。' },
  uniswap: { title: 'Uniswap', description: '以太坊及其二层网络上的去中心化交易所。' },
};
