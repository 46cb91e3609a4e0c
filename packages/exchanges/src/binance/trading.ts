import { ORDER_LIFETIME_MS, type OrderRequest } from '@heron/engine/live/orderRequest.ts';
import type { Market } from '@heron/engine/market/market.ts';
import { formatUnits } from '@heron/engine/money/units.ts';
import { asRows, type Params, type Row } from '../http/row.ts';
import type { Authentication, Endpoints } from '../http/signedClient.ts';
import type { PlacedOrder, TradingExchange } from '../trading.ts';
import { openOrderNames, orderKey } from '../venue/orderIds.ts';
import { venueSymbol } from '../venue/signedCalls.ts';
import { openSignedVenue, type SignedVenueConfig } from '../venue/signedVenue.ts';
import { openBinanceAccountStream } from './accountStream.ts';
import { readBinanceError } from './errorCodes.ts';
import { keyPermissions } from './keyPermissions.ts';
import { binanceTrades } from './ownTrades.ts';
import { answeredFill, orderOf, tradeOfAccount } from './parseAccount.ts';
import { signBinanceRequest } from './signRequest.ts';

const NAME = 'binance';
const DAY_MS = 86_400_000;

/** Every request that this adapter can send. None of them withdraws, lends or transfers. */
export const BINANCE_ENDPOINTS: Endpoints = new Map<string, Authentication>([
  ['GET /api/v3/time', 'none'],
  ['POST /api/v3/order', 'signature'],
  ['DELETE /api/v3/order', 'signature'],
  ['GET /api/v3/order', 'signature'],
  ['GET /api/v3/openOrders', 'signature'],
  ['GET /api/v3/allOrders', 'signature'],
  ['GET /api/v3/myTrades', 'signature'],
  ['GET /api/v3/account', 'signature'],
  ['GET /sapi/v1/account/apiRestrictions', 'signature'],
]);

/**
 * Opens trading on Binance spot, or on a venue with the same protocol, for one account.
 *
 * @throws TypeError for a private key that is not Ed25519
 * @example
 * const trading = await openBinanceTrading({ key, net: openExternalNet('binance', 'binance', { now: Date.now }), budget: venueBudget('binance', Date.now), markets, now: Date.now });
 * await trading.place({ clientOrderId: 'abc123-1-1', pair: 'BTC-USDT', side: 'buy', type: 'market', quantity, assetDecimals, … });
 */
export async function openBinanceTrading(config: SignedVenueConfig): Promise<TradingExchange> {
  const { budget, now, key } = config;
  const names = openOrderNames();
  const remember = (row: Row) => names.set(orderKey(row.symbol, row.orderId), String(row.clientOrderId));
  const venue = openSignedVenue(
    {
      ...{ name: NAME, endpoints: BINANCE_ENDPOINTS, time: 'GET /api/v3/time' },
      ...{ sign: signBinanceRequest, readError: readBinanceError },
    },
    config,
  );
  const { client, clock, call, read, readable, loadMarkets, marketOf, marketById } = venue;

  return {
    name: NAME,
    time: () => clock.venueTime(now()),

    async place(request, committedAt = performance.now()) {
      const market = await venue.marketOfRequest(request);
      const row = await call(1, 'order', async (venueTime) =>
        client.row('POST /api/v3/order', {
          ...orderParams(request, market),
          timestamp: venue.orderTimestamp(request, venueTime, committedAt),
        }),
      );
      return placedOf(row, market);
    },

    async cancel(pair, clientOrderId) {
      const market = await marketOf(pair);
      const row = await call(1, 'order', (venueTime) =>
        client.row('DELETE /api/v3/order', {
          symbol: venueSymbol(market),
          origClientOrderId: clientOrderId,
          timestamp: venueTime(now()),
        }),
      );
      return readable(() => orderOf(row, marketById, 'origClientOrderId'));
    },

    async order(pair, clientOrderId) {
      const market = await marketOf(pair);
      return venue.unlessUnknown(async () => {
        const row = await read(4, (signed) =>
          client.row('GET /api/v3/order', { symbol: venueSymbol(market), origClientOrderId: clientOrderId, ...signed }),
        );
        names.set(orderKey(row.symbol, row.orderId), clientOrderId);
        return readable(() => orderOf(row, marketById, 'clientOrderId'));
      });
    },

    async openOrders(pairs) {
      await loadMarkets();
      const wanted = new Set(pairs);
      // One request for all pairs has the weight of thirteen requests for one pair.
      const lists =
        pairs.length > 13
          ? [await read(80, (signed) => client.rows('GET /api/v3/openOrders', signed))]
          : await Promise.all(
              pairs.map(async (pair) => {
                const symbol = venueSymbol(await marketOf(pair));
                return read(6, (signed) => client.rows('GET /api/v3/openOrders', { symbol, ...signed }));
              }),
            );
      const orders = lists.flat().filter(({ symbol }) => marketById(String(symbol)) !== undefined);
      for (const row of orders) remember(row);
      return readable(() =>
        orders.map((row) => orderOf(row, marketById, 'clientOrderId')).filter(({ pair }) => wanted.has(pair)),
      );
    },

    async ownTrades(pair, since) {
      const market = await marketOf(pair);
      const symbol = venueSymbol(market);
      const lists = {
        spanMs: DAY_MS,
        names,
        remember,
        trades: (page: Params) =>
          read(20, (signed) => client.rows('GET /api/v3/myTrades', { symbol, ...page, ...signed })),
        orders: (page: Params) =>
          read(20, (signed) => client.rows('GET /api/v3/allOrders', { symbol, ...page, ...signed })),
      };
      return binanceTrades(lists, since, clock.venueTime(now()), (row, name) =>
        readable(() => tradeOfAccount(row, market, name)),
      );
    },

    async balances() {
      const account = await read(20, (signed) =>
        client.row('GET /api/v3/account', { omitZeroBalances: 'true', ...signed }),
      );
      return readable(() => asRows(account.balances)).map(({ asset, free, locked }) => ({
        asset: String(asset),
        free: String(free),
        locked: String(locked),
      }));
    },

    async account() {
      const { uid } = await read(20, (signed) =>
        client.row('GET /api/v3/account', { omitZeroBalances: 'true', ...signed }),
      );
      return uid === undefined ? null : String(uid);
    },

    margin: null,

    async permissions() {
      if (config.net.hosts.permissions.length === 0) {
        // A testnet does not report the permissions of a key; nothing can be withdrawn from it.
        const { canTrade } = await read(20, (signed) => client.row('GET /api/v3/account', signed));
        return { trade: String(canTrade) === 'true', withdraw: false, ipRestricted: null };
      }
      const answer = await read(1, (signed) => client.row('GET /sapi/v1/account/apiRestrictions', signed));
      return keyPermissions(answer, 'enableSpotAndMarginTrading');
    },

    stream(listener) {
      return openBinanceAccountStream(
        {
          net: config.net,
          key,
          marketById,
          names,
          budget,
          now,
          async venueTime() {
            await loadMarkets();
            await clock.sync();
            return clock.venueTime(now());
          },
          onWrongTime: clock.invalidate,
        },
        listener,
      );
    },

    async close() {},
  };

  function placedOf(row: Row, market: Market): PlacedOrder {
    remember(row);
    // A response without a status confirms the order only.
    if (row.status === undefined) return { report: null, fills: [] };
    return readable(() => {
      const report = orderOf(row, marketById, 'clientOrderId');
      return { report, fills: asRows(row.fills ?? []).map((fill) => answeredFill(fill, report, market)) };
    });
  }
}

function orderParams(request: OrderRequest, market: Market): Params {
  const { type } = request;
  return {
    symbol: venueSymbol(market),
    side: request.side === 'buy' ? 'BUY' : 'SELL',
    quantity: formatUnits(request.quantity, market.assetDecimals),
    newClientOrderId: request.clientOrderId,
    newOrderRespType: 'FULL',
    recvWindow: ORDER_LIFETIME_MS,
    ...(type === 'market' ? { type: 'MARKET' } : {}),
    ...(request.price > 0 ? { price: formatUnits(request.price) } : {}),
    ...(type === 'limit_maker' ? { type: 'LIMIT_MAKER' } : {}),
    ...(type === 'limit_ioc' ? { type: 'LIMIT', timeInForce: 'IOC' } : {}),
    ...(type === 'stop_market' ? { type: 'STOP_LOSS' } : {}),
    ...(type === 'stop_limit' ? { type: 'STOP_LOSS_LIMIT', timeInForce: 'GTC' } : {}),
    ...(request.trigger === undefined ? {} : { stopPrice: formatUnits(request.trigger.price) }),
  };
}
