import type { Trigger } from '@heron/engine/state/parentOrder.ts';
import { binanceTrades } from '../binance/ownTrades.ts';
import { ExchangeRefused } from '../errors.ts';
import type { Params, Row } from '../http/row.ts';
import type { TradingExchange } from '../trading.ts';
import { orderKey } from '../venue/orderIds.ts';
import { venueSymbol } from '../venue/signedCalls.ts';
import type { SignedVenue } from '../venue/signedVenue.ts';
import type { KnownAccountMode } from './accountMode.ts';
import { orderParams, stopParams } from './orderParams.ts';
import type { OrderRegister } from './orderRegister.ts';
import { tradeOf } from './parseAccount.ts';
import { readContracts } from './readContracts.ts';

/** Longest span of one list of trades. */
const WEEK_MS = 7 * 86_400_000;
/** One request for all contracts has the weight of forty requests for one contract. */
const ALL_ORDERS_WEIGHT = 40;
/** Code of the venue: the order's position side does not match the mode of the account. */
const WRONG_MODE = '-4061';

/** The part of a trading adapter that places, cancels and lists orders. */
export type Orders = Pick<TradingExchange, 'place' | 'cancel' | 'order' | 'openOrders' | 'ownTrades'>;

/** Stops are conditional orders, which have endpoints of their own. */
export function createOrders(
  name: string,
  venue: SignedVenue,
  known: { readonly register: OrderRegister; readonly accountMode: KnownAccountMode },
  now: () => number,
): Orders {
  const { client, clock, call, read, readable, marketOf } = venue;
  const { register, accountMode } = known;

  /** Reads a stop, or the order that it became. */
  async function stopOrder(symbol: string, clientAlgoId: string) {
    const row = await read(1, (signed) => client.row('GET /fapi/v1/algoOrder', { clientAlgoId, ...signed }));
    const stop = readable(() => register.readStop(row));
    if (!row.actualOrderId) return stop;
    const orderId = String(row.actualOrderId);
    const order = await read(1, (signed) => client.row('GET /fapi/v1/order', { symbol, orderId, ...signed }));
    return readable(() => ({ ...register.readOrder(order), type: stop.type }));
  }

  /** Reads a list of the given pairs, or of all contracts where that costs less. */
  async function readOpen(endpoint: string, pairs: readonly string[]): Promise<Row[]> {
    if (pairs.length > ALL_ORDERS_WEIGHT) return read(ALL_ORDERS_WEIGHT, (signed) => client.rows(endpoint, signed));
    const symbols = await Promise.all(pairs.map(async (pair) => venueSymbol(await marketOf(pair))));
    const lists = symbols.map((symbol) => read(1, (signed) => client.rows(endpoint, { symbol, ...signed })));
    return (await Promise.all(lists)).flat();
  }

  return {
    async place(request, committedAt = performance.now()) {
      const market = await venue.marketOfRequest(request);
      const { hedge, multiAssets } = await accountMode.get();
      if (multiAssets && !request.exit) {
        // The owner may change the mode before the next order.
        accountMode.forget();
        throw new ExchangeRefused(name, 'the account is in multi-assets mode, in which nothing is entered');
      }
      const send = (endpoint: string, params: Params) =>
        call(1, 'order', async (venueTime) =>
          client.row(endpoint, { ...params, timestamp: venue.orderTimestamp(request, venueTime, committedAt) }),
        );
      try {
        if (request.trigger !== undefined) {
          const params = stopParams(request, request.trigger as Trigger, market, hedge);
          const row = await send('POST /fapi/v1/algoOrder', params);
          return { report: readable(() => register.readStop(row)), fills: [] };
        }
        const row = await send('POST /fapi/v1/order', orderParams(request, market, hedge));
        return { report: readable(() => register.readOrder(row)), fills: [] };
      } catch (error) {
        if (error instanceof ExchangeRefused && error.message.includes(WRONG_MODE)) accountMode.forget();
        throw error;
      }
    },

    async cancel(pair, clientOrderId, kind = 'plain') {
      const symbol = venueSymbol(await marketOf(pair));
      if (kind === 'stop') {
        await call(1, 'order', (venueTime) =>
          client.row('DELETE /fapi/v1/algoOrder', { clientAlgoId: clientOrderId, timestamp: venueTime(now()) }),
        );
        return null;
      }
      const row = await call(1, 'order', (venueTime) =>
        client.row('DELETE /fapi/v1/order', { symbol, origClientOrderId: clientOrderId, timestamp: venueTime(now()) }),
      );
      return readable(() => register.readOrder(row));
    },

    async order(pair, clientOrderId, kind = 'plain') {
      const symbol = venueSymbol(await marketOf(pair));
      return venue.unlessUnknown(async () => {
        if (kind === 'stop') return stopOrder(symbol, clientOrderId);
        const row = await read(1, (signed) =>
          client.row('GET /fapi/v1/order', { symbol, origClientOrderId: clientOrderId, ...signed }),
        );
        return readable(() => register.readOrder(row));
      });
    },

    async openOrders(pairs) {
      const wanted = new Set(pairs);
      // Stops are read first: a stop that triggers in between is reported twice, never missed.
      const stopRows = await readOpen('GET /fapi/v1/openAlgoOrders', pairs);
      const stops = await readContracts(venue, stopRows, register.readStop);
      const orderRows = await readOpen('GET /fapi/v1/openOrders', pairs);
      const orders = await readContracts(venue, orderRows, register.readOrder);
      return [...stops, ...orders].filter(({ pair }) => wanted.has(pair));
    },

    async ownTrades(pair, since) {
      const market = await marketOf(pair);
      const symbol = venueSymbol(market);
      const lists = {
        spanMs: WEEK_MS,
        names: register.names,
        remember: (row: Row) => readable(() => register.readOrder(row)),
        trades: (page: Params) =>
          read(5, (signed) => client.rows('GET /fapi/v1/userTrades', { symbol, ...page, ...signed })),
        orders: (page: Params) =>
          read(5, (signed) => client.rows('GET /fapi/v1/allOrders', { symbol, ...page, ...signed })),
      };
      return binanceTrades(lists, since, clock.venueTime(now()), (row, clientOrderId) =>
        readable(() => {
          const key = orderKey(row.symbol, row.orderId);
          return tradeOf(row, market, register.stopBehind(key) ?? clientOrderId, register.isReduceOnly(key));
        }),
      );
    },
  };
}
