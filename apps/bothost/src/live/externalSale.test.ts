import { createLiveSession } from '@heron/engine/live/liveSession.ts';
import type { SizedOrderRequest } from '@heron/engine/live/orderRequest.ts';
import type { OwnFill } from '@heron/engine/live/report.ts';
import { formatUnits, toUnits } from '@heron/engine/money/units.ts';
import { defaultOptions } from '@heron/engine/options/table.ts';
import type { Note } from '@heron/engine/session/journal.ts';
import { ExchangeRefused } from '@heron/exchanges/errors.ts';
import { MARKET } from '@heron/exchanges/testing/scriptedExchange.ts';
import type { PlacedOrder, TradingExchange } from '@heron/exchanges/trading.ts';
import { expect, test } from 'vitest';
import { liveDeps } from '../../test/liveDeps.ts';
import { until } from '../../test/testFleet.ts';
import { createLiveMachine } from './liveMachine.ts';

const PRICE = toUnits(100);

/** Creates an account that fills every order, and rejects sales of more than its holding. */
function account() {
  const state = { held: 0, fills: [] as OwnFill[], refusedAt: [] as number[] };
  const trading = {
    time: Date.now,
    margin: null,
    balances: async () => [
      { asset: 'USDT', free: '900', locked: '0' },
      { asset: 'BTC', free: formatUnits(state.held, MARKET.assetDecimals), locked: '0' },
    ],
    openOrders: async () => [],
    ownTrades: async () => state.fills,
    async place(request: SizedOrderRequest): Promise<PlacedOrder> {
      if (request.side === 'sell' && request.quantity > state.held) {
        state.refusedAt.push(Date.now());
        throw new ExchangeRefused('binance', 'Account has insufficient balance', 'no_money');
      }
      const { clientOrderId, pair, side, type, price, quantity, exit } = request;
      state.held += side === 'buy' ? quantity : -quantity;
      const at = Date.now();
      const report = {
        clientOrderId,
        pair,
        side,
        type,
        price,
        quantity,
        filled: quantity,
        status: 'filled',
        at,
      } as const;
      const fill: OwnFill = {
        ...{ id: `${state.fills.length + 1}`, at, pair, clientOrderId, side, quantity, exit },
        ...{ price: PRICE, fee: 0, feeAsset: 'USDT', liquidity: 'taker' },
      };
      state.fills.push(fill);
      return { report, fills: [fill] };
    },
    // Implements only the calls of a bot that trades.
  } as unknown as TradingExchange;
  return { state, trading };
}

test('a sale rejected after the owner sold the coins triggers two snapshots, then ends', async () => {
  const { state, trading } = account();
  const given = { mode: 'live' as const, watch_pairs: MARKET.pair, sync_trade_time: 3_600_000, stop_sell: [] };
  const session = createLiveSession({
    ...{ id: 'abc123', options: { ...defaultOptions(), ...given }, params: {}, allotment: null },
  });
  let ahead = 0;
  const now = () => Date.now() + ahead;
  const { deps } = liveDeps(trading, { now });
  const machine = createLiveMachine({ owner: '1', keyId: 'k' }, session, deps);
  const notes: Note[] = [];
  const feed = (event: Parameters<typeof machine.feed>[0]) => {
    const output = machine.feed(event);
    notes.push(...output.notes);
    output.act?.();
  };
  await machine.open({ emit: (news) => void feed(news), onProblem() {}, onUnitProblem() {} });
  feed({ type: 'command', at: now(), command: { type: 'start' } });
  feed({ type: 'history', at: now(), market: MARKET, candles: [] });
  const quote = () => {
    const size = toUnits(10, MARKET.assetDecimals);
    const [bid, ask] = [PRICE - MARKET.tick, PRICE + MARKET.tick];
    feed({ type: 'quote', pair: MARKET.pair, at: now(), bid, bidSize: size, ask, askSize: size, last: PRICE });
    return true;
  };
  quote();
  const by = { pair: MARKET.pair, order: 'taker' } as const;
  feed({ type: 'command', at: now(), command: { type: 'buy', ...by, value: toUnits(100), requestId: 'a' } });
  const pair = () => session.state.bot.pairs[0];
  await until(() => pair()?.position && pair()?.entry === null, 'a position');
  // The last account snapshot is old.
  ahead = 60_000;
  state.held = 0;
  feed({ type: 'command', at: now(), command: { type: 'sell', ...by, percent: 100, requestId: 'b' } });
  const adjusted = () => notes.find(({ data }) => data.what === 'adjust');
  await until(() => quote() && adjusted(), 'the coins to be taken off the books');
  const tries = state.refusedAt.length;
  await until(() => quote() && pair()?.position === null && pair()?.exit === null, 'the sale to be given up');
  expect(state.refusedAt).toHaveLength(tries);
  const gaps = state.refusedAt.slice(1).map((at, index) => at - (state.refusedAt[index] ?? 0));
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual(1_000);
  await machine.close();
});
