import type { OrderRequest } from '@heron/engine/live/orderRequest.ts';
import type { OwnFill, TradeCursor } from '@heron/engine/live/report.ts';
import type { Market } from '@heron/engine/market/market.ts';
import { formatUnits } from '@heron/engine/money/units.ts';
import { tradeOfAccount } from '../binance/parseAccount.ts';
import { ExchangeMisused, ExchangeRefused, ExchangeUnreachable } from '../errors.ts';
import { asRows, type Params, type Row } from '../http/row.ts';
import type { Authentication, Endpoints } from '../http/signedClient.ts';
import type { TradingExchange } from '../trading.ts';
import { openOrderNames } from '../venue/orderIds.ts';
import { venueSymbol } from '../venue/signedCalls.ts';
import { openSignedVenue, type SignedVenueConfig } from '../venue/signedVenue.ts';
import { openMexcAccountStream } from './accountStream.ts';
import { readMexcError } from './errorCodes.ts';
import { asMarketableLimit, marketOrdersAreOff, needsLimit } from './marketOrder.ts';
import { nameOf, orderOf } from './parseAccount.ts';
import { signMexcRequest } from './signRequest.ts';

const NAME = 'mexc';
/** Most rows in one response of `myTrades`. */
const PAGE = 100;

/** Every request that this adapter can send. None of them withdraws, lends or transfers. */
export const MEXC_ENDPOINTS: Endpoints = new Map<string, Authentication>([
  ['GET /api/v3/time', 'none'],
  ['GET /api/v3/ticker/bookTicker', 'none'],
  ['POST /api/v3/order/test', 'signature'],
  ['POST /api/v3/order', 'signature'],
  ['DELETE /api/v3/order', 'signature'],
  ['GET /api/v3/order', 'signature'],
  ['GET /api/v3/openOrders', 'signature'],
  ['GET /api/v3/myTrades', 'signature'],
  ['GET /api/v3/account', 'signature'],
  ['GET /api/v3/uid', 'signature'],
  ['POST /api/v3/userDataStream', 'signature'],
  ['GET /api/v3/userDataStream', 'signature'],
  ['PUT /api/v3/userDataStream', 'signature'],
  ['DELETE /api/v3/userDataStream', 'signature'],
]);

/**
 * Opens trading on MEXC spot, or on a venue with the same protocol, for one account. Responses to orders and cancels do
 * not contain the state of the order, so that it must be queried.
 *
 * @example
 * const trading = await openMexcTrading({ key, net: openExternalNet('mexc', 'mexc', { now: Date.now }), budget: venueBudget('mexc', Date.now), markets, now: Date.now });
 * await trading.place({ clientOrderId: 'abc123-1-1', pair: 'BTC-USDT', side: 'buy', type: 'market', quantity, assetDecimals, … });
 */
export async function openMexcTrading(config: SignedVenueConfig): Promise<TradingExchange> {
  const { now } = config;
  const venue = openSignedVenue(
    {
      ...{ name: NAME, endpoints: MEXC_ENDPOINTS, time: 'GET /api/v3/time' },
      ...{ sign: signMexcRequest, readError: readMexcError },
    },
    config,
  );
  const { client, clock, call, read, readable, loadMarkets, marketOf, marketById } = venue;
  /** Orders whose cancellation Heron has requested. */
  const cancels = openOrderNames();
  const isCancelRequested = (name: string) => cancels.get(name) !== undefined;

  /** Reads fills from `at` on, page by page backwards in time: a page holds the newest fills of its span. */
  async function tradePages(market: Market, at: number): Promise<Row[]> {
    const found = new Map<string, Row>();
    // MEXC rounds some times down to whole seconds, so that a fill may bear a time before its own.
    const since = Math.floor(at / 1_000) * 1_000;
    // The first page has no end and therefore contains the newest fills.
    for (let end: number | null = null; ; ) {
      const until: { endTime?: number } = end === null ? {} : { endTime: end };
      const rows = await read(10, (signed) =>
        client.rows('GET /api/v3/myTrades', {
          symbol: venueSymbol(market),
          startTime: since,
          ...until,
          limit: PAGE,
          ...signed,
        }),
      );
      for (const row of rows) found.set(String(row.id), row);
      if (rows.length < PAGE) break;
      const oldest = Math.min(...rows.map(({ time }) => Number(time)));
      if (end === oldest) throw new ExchangeUnreachable(NAME, 'more trades in one millisecond than a page holds');
      end = oldest;
    }
    return [...found.values()].sort(
      (a, b) => Number(a.time) - Number(b.time) || (String(a.id) < String(b.id) ? -1 : 1),
    );
  }

  async function send(request: OrderRequest, market: Market, committedAt: number): Promise<void> {
    await call(1, 'order', async (venueTime) =>
      client.row('POST /api/v3/order', {
        ...orderParams(request, market),
        timestamp: venue.orderTimestamp(request, venueTime, committedAt),
      }),
    );
  }

  async function bestPrices(market: Market): Promise<Row> {
    return call(1, 'order', () => client.row('GET /api/v3/ticker/bookTicker', { symbol: venueSymbol(market) }));
  }

  async function ownTrades(pair: string, { at }: TradeCursor): Promise<OwnFill[]> {
    const market = await marketOf(pair);
    const rows = await tradePages(market, at);
    return readable(() => rows.map((row) => tradeOfAccount(row, market, nameOf(row))));
  }

  return {
    name: NAME,
    time: () => clock.venueTime(now()),

    async place(request, committedAt = performance.now()) {
      const market = await venue.marketOfRequest(request);
      const sendAsLimit = async () =>
        send(asMarketableLimit(request, market, await bestPrices(market)), market, committedAt);
      if (needsLimit(request)) await sendAsLimit();
      else {
        try {
          await send(request, market, committedAt);
        } catch (error) {
          if (!marketOrdersAreOff(error, request)) throw error;
          await sendAsLimit();
        }
      }
      return { report: null, fills: [] };
    },

    async cancel(pair, clientOrderId) {
      const market = await marketOf(pair);
      cancels.set(clientOrderId, clientOrderId);
      await call(1, 'order', (venueTime) =>
        client.row('DELETE /api/v3/order', {
          symbol: venueSymbol(market),
          origClientOrderId: clientOrderId,
          timestamp: venueTime(now()),
        }),
      );
      return null;
    },

    async order(pair, clientOrderId) {
      const market = await marketOf(pair);
      return venue.unlessUnknown(async () => {
        const row = await read(2, (signed) =>
          client.row('GET /api/v3/order', { symbol: venueSymbol(market), origClientOrderId: clientOrderId, ...signed }),
        );
        return readable(() => orderOf(row, marketById, isCancelRequested));
      });
    },

    async openOrders(pairs) {
      const lists = await Promise.all(
        pairs.map(async (pair) => {
          const symbol = venueSymbol(await marketOf(pair));
          return read(3, (signed) => client.rows('GET /api/v3/openOrders', { symbol, ...signed }));
        }),
      );
      return readable(() => lists.flat().map((row) => orderOf(row, marketById, isCancelRequested)));
    },

    ownTrades,

    async balances() {
      const account = await read(10, (signed) => client.row('GET /api/v3/account', signed));
      return readable(() => asRows(account.balances)).map(({ asset, free, locked }) => ({
        asset: String(asset),
        free: String(free),
        locked: String(locked),
      }));
    },

    async account() {
      const { uid } = await read(1, (signed) => client.row('GET /api/v3/uid', signed));
      return uid === undefined ? null : String(uid);
    },

    margin: null,

    async permissions() {
      const account = await read(10, (signed) => client.row('GET /api/v3/account', signed));
      // MEXC reports the permissions of the account but not of the key: a test order shows whether the key may trade.
      const trade = String(account.canTrade) === 'true' && (await acceptsTestOrder());
      return { trade, withdraw: null, ipRestricted: null };
    },

    stream(listener) {
      return openMexcAccountStream(
        {
          net: config.net,
          marketById,
          isCancelRequested,
          loadMarkets,
          async listenKeys() {
            const { listenKey } = await read(1, (signed) => client.row('GET /api/v3/userDataStream', signed));
            return [listenKey].flat().map(String);
          },
          async newListenKey() {
            return String((await read(1, (signed) => client.row('POST /api/v3/userDataStream', signed))).listenKey);
          },
          async renew(listenKey) {
            await read(1, (signed) => client.row('PUT /api/v3/userDataStream', { listenKey, ...signed }));
          },
          async deleteKey(listenKey) {
            await read(1, (signed) => client.row('DELETE /api/v3/userDataStream', { listenKey, ...signed }));
          },
          fillsSince: (pair, at) => ownTrades(pair, { at, id: '' }),
        },
        listener,
      );
    },

    async close() {},
  };

  async function acceptsTestOrder(): Promise<boolean> {
    const [market] = await config.markets();
    if (market === undefined) return true;
    const order = { symbol: venueSymbol(market), side: 'BUY', type: 'LIMIT', quantity: '1', price: '1' };
    try {
      await read(1, (signed) => client.row('POST /api/v3/order/test', { ...order, ...signed }));
      return true;
    } catch (error) {
      // A refusal for another reason shows that the key was accepted.
      if (error instanceof ExchangeRefused) return error.about !== 'not_allowed';
      throw error;
    }
  }
}

function orderParams(request: OrderRequest, market: Market): Params {
  const { type } = request;
  const types = { market: 'MARKET', limit_maker: 'LIMIT_MAKER', limit_ioc: 'IMMEDIATE_OR_CANCEL' } as const;
  if (type === 'stop_market' || type === 'stop_limit') throw new ExchangeMisused(NAME, 'there are no stop orders');
  return {
    symbol: venueSymbol(market),
    side: request.side === 'buy' ? 'BUY' : 'SELL',
    type: types[type],
    quantity: formatUnits(request.quantity, market.assetDecimals),
    newClientOrderId: request.clientOrderId,
    ...(type === 'market' ? {} : { price: formatUnits(request.price) }),
  };
}
