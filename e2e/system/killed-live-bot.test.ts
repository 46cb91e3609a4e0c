import { openBinance } from '@heron/exchanges/ccxt/binance.ts';
import { binanceBudget, openBinanceTrading } from '@heron/exchanges/ccxt/binanceTrading.ts';
import { killsLiveBots } from './killedLiveBot.ts';

killsLiveBots({
  name: 'binance',
  async open({ binance: { rest, ws, wsApi, key, secret } }) {
    const reading = await openBinance({ redirect: { rest, ws }, now: Date.now });
    const owner = await openBinanceTrading({
      key: { key, secret },
      redirect: { rest, wsApi },
      budget: binanceBudget(Date.now),
      markets: () => reading.markets(),
      now: Date.now,
    });
    return { reading, owner };
  },
});
