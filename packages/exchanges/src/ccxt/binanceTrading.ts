import { setTimeout as delay } from 'node:timers/promises';
import { ORDER_LIFETIME_MS, type OrderTicket } from '@heron/engine/live/orderTicket.ts';
import type { OwnFill, TradeCursor } from '@heron/engine/live/report.ts';
import type { Market } from '@heron/engine/market/market.ts';
import { formatUnits } from '@heron/engine/money/units.ts';
import { ExchangeMisused, ExchangeRefused } from '../errors.ts';
import { openRateBudget, type RateBudget } from '../rateBudget.ts';
import type { Placed, TradingConfig, TradingExchange } from '../trading.ts';
import { answeredFill, orderOf, type Row, tradeOfAccount } from './binanceAccount.ts';
import { openBinanceAccountStream } from './binanceAccountStream.ts';
import { exchangeErrorOf } from './ccxtErrors.ts';
import { type FetchLike, loadBinance, loadErrors } from './library.ts';
import { openOrderNames } from './orderNames.ts';
import { openSignedCalls, spotId } from './signedCalls.ts';
import { openSignedClock } from './signedClock.ts';
import { tradingOnly } from './tradingOnly.ts';

const NAME = 'binance';
const REST = 'https://api.binance.com';
const WS_API = 'wss://ws-api.binance.com:443/ws-api/v3';
const TIMEOUT_MS = 10_000;
const PAGE = 1_000;
const DAY_MS = 86_400_000;

/** Everything that is ever signed. */
const ENDPOINTS = new Set([
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
  /** Another venue that speaks Binance's protocol, such as the demo market. */
  readonly redirect: { readonly rest: string; readonly wsApi: string } | null;
  /** Shared by everything of this process that asks this venue. */
  readonly budget: RateBudget;
}

/** What a process may ask of Binance spot in all. */
export function binanceBudget(now: () => number): RateBudget {
  return openRateBudget(NAME, { weight: 6_000, header: 'x-mbx-used-weight-1m' }, { now, wait: (ms) => delay(ms) });
}

/**
 * Binance spot, or a venue that speaks its protocol, as one account trades on it.
 *
 * @example
 * const trading = await openBinanceTrading({ key, redirect: null, budget: binanceBudget(Date.now), markets, now: Date.now });
 * await trading.place({ clientOrderId: 'abc123-1-1', pair: 'BTC-USDT', side: 'buy', type: 'market', … });
 */
export async function openBinanceTrading(config: BinanceTradingConfig): Promise<TradingExchange> {
  const { budget, now, key } = config;
  const [Base, errors] = await Promise.all([loadBinance(), loadErrors()]);
  const fetchWatched: FetchLike = async (url, init) => {
    const response = await fetch(url, init);
    budget.learn(response.status, response.headers);
    return response;
  };
  const rest = config.redirect === null ? REST : new URL(config.redirect.rest).origin;
  const Binance = tradingOnly(Base, NAME, {
    endpoints: ENDPOINTS,
    origins: new Map([[REST, rest]]),
    fetch: fetchWatched,
  });
  const client = new Binance({
    apiKey: key.key,
    secret: key.secret,
    timeout: TIMEOUT_MS,
    // The budget does this, for all bots together.
    enableRateLimit: false,
    options: { maxRetriesOnFailure: 0, recvWindow: ORDER_LIFETIME_MS },
  });
  const exchange = client as unknown as Endpoints;
  const clock = openSignedClock(async () => Number((await exchange.publicGetTime()).serverTime), now);
  const names = openOrderNames();
  const calls = openSignedCalls({
    name: NAME,
    errors,
    budget,
    clock,
    now,
    markets: config.markets,
    errorOf: (error, write) =>
      exchangeErrorOf(error, { exchange: NAME, errors, write, retryAt: budget.retryAt(), now: now() }),
  });
  const { call, read, readable, loadMarkets, marketOf, marketById } = calls;

  /** Learns the client ids of all orders of a pair from `orderId` on. */
  async function learnNames(market: Market, orderId: string): Promise<void> {
    for (let from = orderId; ; ) {
      const rows = await read(20, (signed) =>
        exchange.privateGetAllOrders({ symbol: spotId(market), orderId: from, limit: PAGE, ...signed }),
      );
      for (const row of rows) names.learn(String(row.orderId), String(row.clientOrderId));
      const last = rows.at(-1)?.orderId;
      if (rows.length < PAGE || last === undefined) return;
      from = String(BigInt(String(last)) + 1n);
    }
  }

  /** Pages of `myTrades`: by id once one is known, before by time, a day a page. */
  async function tradePages(market: Market, since: TradeCursor): Promise<Row[]> {
    const symbol = spotId(market);
    const found: Row[] = [];
    let fromId = since.id === '' ? null : since.id;
    for (let start = since.at; fromId === null && start <= clock.of(now()); start += DAY_MS) {
      const rows = await read(20, (signed) =>
        exchange.privateGetMyTrades({ symbol, startTime: start, endTime: start + DAY_MS - 1, limit: PAGE, ...signed }),
      );
      if (rows.length === PAGE) fromId = String(rows[0]?.id);
      else found.push(...rows);
    }
    while (fromId !== null) {
      const page: string = fromId;
      const rows = await read(20, (signed) =>
        exchange.privateGetMyTrades({ symbol, fromId: page, limit: PAGE, ...signed }),
      );
      found.push(...rows);
      fromId = rows.length < PAGE ? null : String(BigInt(String(rows.at(-1)?.id)) + 1n);
    }
    return found;
  }

  return {
    name: NAME,
    time: () => clock.of(now()),

    async place(ticket) {
      const market = await marketOf(ticket.pair);
      const row = await call(1, 'order', true, (venueTime) => {
        // The last thing before the request leaves: later than this the venue would refuse it anyhow.
        if (now() - ticket.decidedAt > ORDER_LIFETIME_MS) throw new errors.InvalidNonce('decided too long ago');
        return exchange.privatePostOrder({ ...orderParams(ticket, market), timestamp: venueTime(ticket.decidedAt) });
      });
      return placedOf(row, market);
    },

    async cancel(pair, clientOrderId) {
      const market = await marketOf(pair);
      const row = await call(1, 'order', true, (venueTime) =>
        exchange.privateDeleteOrder({
          symbol: spotId(market),
          origClientOrderId: clientOrderId,
          timestamp: venueTime(now()),
        }),
      );
      return readable(() => orderOf(row, marketById, 'origClientOrderId'));
    },

    async order(pair, clientOrderId) {
      const market = await marketOf(pair);
      try {
        const row = await read(4, (signed) =>
          exchange.privateGetOrder({ symbol: spotId(market), origClientOrderId: clientOrderId, ...signed }),
        );
        names.learn(String(row.orderId), clientOrderId);
        return readable(() => orderOf(row, marketById, 'clientOrderId'));
      } catch (error) {
        if (error instanceof ExchangeRefused && error.about === 'unknown_order') return null;
        throw error;
      }
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
                const symbol = spotId(await marketOf(pair));
                return read(6, (signed) => exchange.privateGetOpenOrders({ symbol, ...signed }));
              }),
            );
      const orders = lists.flat().filter(({ symbol }) => marketById(String(symbol)) !== undefined);
      for (const row of orders) names.learn(String(row.orderId), String(row.clientOrderId));
      return readable(() =>
        orders.map((row) => orderOf(row, marketById, 'clientOrderId')).filter(({ pair }) => wanted.has(pair)),
      );
    },

    async ownTrades(pair, since) {
      const market = await marketOf(pair);
      const rows = await tradePages(market, since);
      const nameless = rows.find(({ orderId }) => names.of(String(orderId)) === undefined);
      if (nameless !== undefined) {
        // Orders are numbered as they come, trades are not in their order.
        const least = rows
          .filter(({ orderId }) => names.of(String(orderId)) === undefined)
          .map(({ orderId }) => BigInt(String(orderId)))
          .reduce((a, b) => (a < b ? a : b));
        await learnNames(market, String(least));
      }
      return readable(() =>
        rows.map((row): OwnFill => {
          const name = names.of(String(row.orderId));
          if (name === undefined) throw new TypeError('a trade of an order that is not listed');
          return tradeOfAccount(row, market, name);
        }),
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

    async positions() {
      return [];
    },

    async setLeverage() {
      throw new ExchangeMisused(NAME, 'spot has no leverage');
    },

    async setMarginMode() {
      throw new ExchangeMisused(NAME, 'spot has no margin');
    },

    async permissions() {
      const told = await read(1, (signed) => exchange.sapiGetAccountApiRestrictions(signed));
      const may = (field: string) => String(told[field]) === 'true';
      return {
        trade: may('enableSpotAndMarginTrading'),
        // What the venue does not deny counts as allowed.
        withdraw:
          String(told.enableWithdrawals) !== 'false' ||
          may('permitsUniversalTransfer') ||
          may('enableInternalTransfer'),
        ipRestricted: may('ipRestrict'),
      };
    },

    stream(listener) {
      return openBinanceAccountStream(
        {
          url: config.redirect === null ? WS_API : config.redirect.wsApi,
          key,
          marketById,
          names,
          budget,
          async venueTime() {
            await loadMarkets();
            await clock.ready();
            return clock.of(now());
          },
        },
        listener,
      );
    },

    async close() {
      await exchange.close();
    },
  };

  function placedOf(row: Row, market: Market): Placed {
    const clientOrderId = String(row.clientOrderId);
    names.learn(String(row.orderId), clientOrderId);
    // An answer without a status only says that the venue has the order.
    if (row.status === undefined) return { report: null, fills: [] };
    return readable(() => {
      const report = orderOf(row, marketById, 'clientOrderId');
      return { report, fills: ((row.fills ?? []) as Row[]).map((fill) => answeredFill(fill, report, market)) };
    });
  }
}

function orderParams(ticket: OrderTicket, market: Market): object {
  const { type } = ticket;
  return {
    symbol: spotId(market),
    side: ticket.side === 'buy' ? 'BUY' : 'SELL',
    quantity: formatUnits(ticket.quantity, market.assetDecimals),
    newClientOrderId: ticket.clientOrderId,
    newOrderRespType: 'FULL',
    recvWindow: ORDER_LIFETIME_MS,
    ...(type === 'market' ? { type: 'MARKET' } : { price: formatUnits(ticket.price) }),
    ...(type === 'limit_maker' ? { type: 'LIMIT_MAKER' } : {}),
    ...(type === 'limit_ioc' ? { type: 'LIMIT', timeInForce: 'IOC' } : {}),
  };
}
