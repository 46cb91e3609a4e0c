import type { SizedOrderRequest } from '@heron/engine/live/orderRequest.ts';
import { ExchangeRefused } from '@heron/exchanges/errors.ts';
import type { TradingExchange } from '@heron/exchanges/trading.ts';
import { expect, test } from 'vitest';
import { openLog } from '../log.ts';
import { createContractSetup } from './contractSetup.ts';
import { createOrderSender } from './orderSender.ts';

const TICKET: SizedOrderRequest = {
  ...{ clientOrderId: 'abc123-1-1', pair: 'BTC-USDT', side: 'buy', type: 'market', price: 0, quantity: 1_000 },
  ...{ assetDecimals: 7, exit: false, margin: { leverage: 7, isolated: true }, decidedAt: 1_000 },
};

test('a key that is refused while a contract is set up is reported as refused', async () => {
  const refusal = new ExchangeRefused('binanceusdm', 'Invalid API-key, IP, or permissions for action.', 'not_allowed');
  const placed: string[] = [];
  const trading = {
    name: 'binanceusdm',
    margin: {
      positions: async () => [],
      setMarginMode: async () => {},
      async setLeverage() {
        throw refusal;
      },
    },
    place: async ({ clientOrderId }: SizedOrderRequest) => placed.push(clientOrderId),
    // Implements only the calls of an entry.
  } as unknown as TradingExchange;
  const failures: unknown[] = [];
  const send = createOrderSender({
    ...{ log: openLog('test', 'silent'), setup: createContractSetup(), now: () => 1_000 },
    ...{ withFeeInQuote: async (fill) => fill, onAccepted() {}, onExitRefused() {} },
    onFailed: (error) => failures.push(error),
  });
  const outcome = await send(trading, { type: 'place', order: TICKET });
  expect(outcome).toMatchObject({ type: 'rejected', how: 'rejected', why: refusal.message });
  expect([failures, placed]).toEqual([[refusal], []]);
});
