import { ORDER_LIFETIME_MS, type OrderRequest } from '@heron/engine/live/orderRequest.ts';
import type { Market } from '@heron/engine/market/market.ts';
import { formatUnits } from '@heron/engine/money/units.ts';
import { exchangeErrorOf } from '../ccxt/ccxtErrors.ts';
import { loadBinance, loadErrors } from '../ccxt/library.ts';
import type { RateBudget } from '../http/rateBudget.ts';
import { LIBRARY_ORIGINS } from '../net/hosts.ts';
import type { VenueNet } from '../net/venueNet.ts';
import type { PlacedOrder, TradingConfig, TradingExchange } from '../trading.ts';
import { openOrderNames, orderKey } from '../venue/orderIds.ts';
import { venueSymbol } from '../venue/signedCalls.ts';
import { openSignedVenue } from '../venue/signedVenue.ts';
import { openBinanceAccountStream } from './accountStream.ts';
import { keyPermissions } from './keyPermissions.ts';
import { binanceTrades } from './ownTrades.ts';
import { answeredFill, orderOf, type Row, tradeOfAccount } from './parseAccount.ts';

const NAME = 'binance';
const DAY_MS = 86_400_000;

/** Everything that is ever signed. */
export const BINANCE_ENDPOINTS = new Set([
  'public GET time',
  'private POST order',
  'private DELETE order',
  'private GET order',
  'private GET openOrders',
  'private GET allOrders',
  'private GET myTrades',
  'private GET account',
  'sapi GET account/apiRestrictions',
]);

/** The endpoint methods that ccxt makes from its own table. */
interface Endpoints {
  publicGetTime(): Promise<Row>;
  privatePostOrder(params: object): Promise<Row>;
  privateDeleteOrder(params: object): Promise<Row>;
  privateGetOrder(params: object): Promise<Row>;
  privateGetOpenOrders(params: object): Promise<Row[]>;
  privateGetAllOrders(params: object): Promise<Row[]>;
  privateGetMyTrades(params: object): Promise<Row[]>;
  privateGetAccount(params: object): Promise<Row>;
  sapiGetAccountApiRestrictions(params: object): Promise<Row>;
  close(): Promise<unknown>;
}

/** How a trading adapter of Binance spot is made. */
export interface BinanceTradingConfig extends TradingConfig {
  /** The way to the venue. Whoever opened it closes it. */
  readonly net: VenueNet;
  /** Shared by everything of this process that asks this venue. */
  readonly budget: RateBudget;
}

/**
 * Binance spot, or a venue that speaks its protocol, as one account trades on it.
 *
 * @example
 * const trading = await openBinanceTrading({ key, net: openExternalNet('binance', 'binance', { now: Date.now }), budget: venueBudget('binance', Date.now), markets, now: Date.now });
 * await trading.place({ clientOrderId: 'abc123-1-1', pair: 'BTC-USDT', side: 'buy', type: 'market', … });
 */
export async function openBinanceTrading(config: BinanceTradingConfig): Promise<TradingExchange> {
  const { budget, now, key } = config;
  const [Base, errors] = await Promise.all([loadBinance(), loadErrors()]);
  const names = openOrderNames();
  const learn = (row: Row) => names.set(orderKey(row.symbol, row.orderId), String(row.clientOrderId));
  const venue = openSignedVenue<Endpoints>(
    {
      ...{ name: NAME, Base, errors, endpoints: BINANCE_ENDPOINTS, library: LIBRARY_ORIGINS.binance },
      serverTime: (exchange) => exchange.publicGetTime(),
      errorOf: exchangeErrorOf,
    },
    config,
  );
  const { exchange, clock, call, read, readable, loadMarkets, marketOf, marketById } = venue;

  return {
    name: NAME,
    time: () => clock.venueTime(now()),

    async place(request) {
      const market = await marketOf(request.pair);
      const row = await call(1, 'order', true, async (venueTime) =>
        exchange.privatePostOrder({ ...orderParams(request, market), timestamp: venue.decidedAt(request, venueTime) }),
      );
      return placedOf(row, market);
    },

    async cancel(pair, clientOrderId) {
      const market = await marketOf(pair);
      const row = await call(1, 'order', true, (venueTime) =>
        exchange.privateDeleteOrder({
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
          exchange.privateGetOrder({ symbol: venueSymbol(market), origClientOrderId: clientOrderId, ...signed }),
        );
        names.set(orderKey(row.symbol, row.orderId), clientOrderId);
        return readable(() => orderOf(row, marketById, 'clientOrderId'));
      });
    },

    async openOrders(pairs) {
      await loadMarkets();
      const wanted = new Set(pairs);
      // All pairs at once weigh as much as thirteen of them one by one.
      const lists =
        pairs.length > 13
          ? [await read(80, (signed) => exchange.privateGetOpenOrders(signed))]
          : await Promise.all(
              pairs.map(async (pair) => {
                const symbol = venueSymbol(await marketOf(pair));
                return read(6, (signed) => exchange.privateGetOpenOrders({ symbol, ...signed }));
              }),
            );
      const orders = lists.flat().filter(({ symbol }) => marketById(String(symbol)) !== undefined);
      for (const row of orders) learn(row);
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
        learn,
        trades: (asked: object) => read(20, (signed) => exchange.privateGetMyTrades({ symbol, ...asked, ...signed })),
        orders: (asked: object) => read(20, (signed) => exchange.privateGetAllOrders({ symbol, ...asked, ...signed })),
      };
      return binanceTrades(lists, since, clock.venueTime(now()), (row, name) =>
        readable(() => tradeOfAccount(row, market, name)),
      );
    },

    async balances() {
      const account = await read(20, (signed) => exchange.privateGetAccount({ omitZeroBalances: 'true', ...signed }));
      return (account.balances as Row[]).map(({ asset, free, locked }) => ({
        asset: String(asset),
        free: String(free),
        locked: String(locked),
      }));
    },

    async account() {
      const { uid } = await read(20, (signed) => exchange.privateGetAccount({ omitZeroBalances: 'true', ...signed }));
      return uid === undefined ? null : String(uid);
    },

    margin: null,

    async permissions() {
      if (config.net.hosts.keys.length === 0) {
        // A testnet does not report what a key may do; from a testnet nothing can be withdrawn.
        const { canTrade } = await read(20, (signed) => exchange.privateGetAccount(signed));
        return { trade: String(canTrade) === 'true', withdraw: false, ipRestricted: null };
      }
      const answer = await read(1, (signed) => exchange.sapiGetAccountApiRestrictions(signed));
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
        },
        listener,
      );
    },

    async close() {
      await exchange.close();
    },
  };

  function placedOf(row: Row, market: Market): PlacedOrder {
    learn(row);
    // An answer without a status only says that the venue has the order.
    if (row.status === undefined) return { report: null, fills: [] };
    return readable(() => {
      const report = orderOf(row, marketById, 'clientOrderId');
      return { report, fills: ((row.fills ?? []) as Row[]).map((fill) => answeredFill(fill, report, market)) };
    });
  }
}

function orderParams(request: OrderRequest, market: Market): object {
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
