import { openMexc } from '@heron/exchanges/ccxt/mexc.ts';
import { mexcBudget, openMexcTrading } from '@heron/exchanges/ccxt/mexcTrading.ts';
import { killsLiveBots } from './killedLiveBot.ts';

killsLiveBots({
  name: 'mexc',
  async open({ mexc: { rest, ws, key, secret } }) {
    const reading = await openMexc({ redirect: { rest, ws }, now: Date.now });
    const owner = await openMexcTrading({
      key: { key, secret },
      redirect: { rest, ws },
      budget: mexcBudget(Date.now),
      markets: () => reading.markets(),
      now: Date.now,
    });
    return { reading, owner };
  },
});
