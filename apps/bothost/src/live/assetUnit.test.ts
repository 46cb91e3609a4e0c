import { createLiveSession } from '@heron/engine/live/liveSession.ts';
import type { SizedOrderRequest } from '@heron/engine/live/orderRequest.ts';
import { toUnits } from '@heron/engine/money/units.ts';
import { defaultOptions } from '@heron/engine/options/table.ts';
import { AssetUnitChanged } from '@heron/engine/state/adoptMarket.ts';
import { AssetUnitDiffers, ExchangeUnreachable } from '@heron/exchanges/errors.ts';
import { MARKET } from '@heron/exchanges/testing/scriptedExchange.ts';
import type { TradingExchange } from '@heron/exchanges/trading.ts';
import { expect, test } from 'vitest';
import { liveDeps } from '../../test/liveDeps.ts';
import { until } from '../../test/testFleet.ts';
import { createLiveMachine } from './liveMachine.ts';

const { pair, assetDecimals } = MARKET;
/** The market before its asset got a finer unit. */
const COARSE = {
  ...MARKET,
  step: MARKET.step / 10,
  minQuantity: MARKET.minQuantity / 10,
  assetDecimals: assetDecimals - 1,
};

test('a wrong asset unit is reported until the bot has adopted the new one, whatever its account does', async () => {
  let markets = [COARSE];
  let isDown = false;
  const trading = {
    time: Date.now,
    margin: null,
    async balances() {
      if (isDown) throw new ExchangeUnreachable('binance', 'not now');
      return [{ asset: 'USDT', free: '1000', locked: '0' }];
    },
    openOrders: async () => [],
    ownTrades: async () => [],
    async place(order: SizedOrderRequest): Promise<never> {
      throw new AssetUnitDiffers('binance', new AssetUnitChanged(pair, assetDecimals, order.assetDecimals, 'live'));
    },
    // Implements only the calls of a bot that buys.
  } as unknown as TradingExchange;
  const options = { ...defaultOptions(), mode: 'live' as const, watch_pairs: pair };
  const session = createLiveSession({ id: 'abc123', options, params: {}, allotment: null });
  const { deps, readAgain } = liveDeps(trading, { markets: async () => markets });
  const machine = createLiveMachine({ owner: '1', keyId: 'k' }, session, deps);
  const feed = (event: Parameters<typeof machine.feed>[0]) => machine.feed(event).act?.();
  const accountProblems: unknown[] = [];
  const unitProblems: (string | null)[] = [];
  await machine.open({
    emit: feed,
    onProblem: (problem) => void accountProblems.push(problem),
    onUnitProblem: (problem) => void unitProblems.push(problem),
  });
  const at = Date.now();
  feed({ type: 'command', at, command: { type: 'start' } });
  feed({ type: 'history', at, market: COARSE, candles: [] });
  const price = toUnits(100);
  const sizes = { bidSize: COARSE.step, askSize: COARSE.step };
  feed({ type: 'quote', pair, at, bid: price - COARSE.tick, ask: price + COARSE.tick, ...sizes, last: price });
  const buy = { type: 'buy', pair, order: 'taker', value: toUnits(50), requestId: 'r' } as const;
  feed({ type: 'command', at, command: buy });
  await until(() => unitProblems.length > 0, 'the rejection');
  isDown = true;
  readAgain();
  await until(() => accountProblems.length === 1, 'an outage');
  isDown = false;
  readAgain();
  await until(() => accountProblems.length === 2, 'the end of the outage');
  expect([accountProblems.at(-1), unitProblems]).toEqual([null, [pair]]);
  markets = [MARKET];
  readAgain();
  await until(() => unitProblems.length > 1, 'the new unit to be adopted');
  expect(unitProblems).toEqual([pair, null]);
  await machine.close();
});
