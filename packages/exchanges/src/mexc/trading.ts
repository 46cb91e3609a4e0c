import type { OrderRequest } from '@heron/engine/live/orderRequest.ts';
import type { OwnFill, TradeCursor } from '@heron/engine/live/report.ts';
import type { Market } from '@heron/engine/market/market.ts';
import { formatUnits } from '@heron/engine/money/units.ts';
import { type Row, tradeOfAccount } from '../binance/parseAccount.ts';
import { loadErrors, loadMexc, loadMexcDecoder } from '../ccxt/library.ts';
import { ExchangeMisused, ExchangeRefused, ExchangeUnreachable } from '../errors.ts';
import type { RateBudget } from '../http/rateBudget.ts';
import { LIBRARY_ORIGINS } from '../net/hosts.ts';
import type { VenueNet } from '../net/venueNet.ts';
import type { TradingConfig, TradingExchange } from '../trading.ts';
import { openOrderNames } from '../venue/orderIds.ts';
import { venueSymbol } from '../venue/signedCalls.ts';
import { openSignedVenue } from '../venue/signedVenue.ts';
import { openMexcAccountStream } from './accountStream.ts';
import { mexcErrorOf } from './errors.ts';
import { asMarketableLimit, marketOrdersAreOff, needsLimit } from './marketOrder.ts';
import { nameOf, orderOf } from './parseAccount.ts';

const NAME = 'mexc';
/** Most rows of `myTrades`. */
const PAGE = 100;

/** Everything that is ever signed. */
export const MEXC_ENDPOINTS = new Set([
  'spot public GET time',
  'spot public GET ticker/bookTicker',
  'spot private POST order',
  'spot private POST order/test',
  'spot private DELETE order',
  'spot private GET order',
  'spot private GET openOrders',
  'spot private GET myTrades',
  'spot private GET account',
  'spot private GET uid',
  'spot private POST userDataStream',
  'spot private GET userDataStream',
  'spot private PUT userDataStream',
  'spot private DELETE userDataStream',
]);

/** The endpoint methods that ccxt makes from its own table. */
interface Endpoints {
  spotPublicGetTime(): Promise<Row>;
  spotPublicGetTickerBookTicker(params: object): Promise<Row>;
  spotPrivatePostOrder(params: object): Promise<Row>;
  spotPrivatePostOrderTest(params: object): Promise<Row>;
  spotPrivateDeleteOrder(params: object): Promise<Row>;
  spotPrivateGetOrder(params: object): Promise<Row>;
  spotPrivateGetOpenOrders(params: object): Promise<Row[]>;
  spotPrivateGetMyTrades(params: object): Promise<Row[]>;
  spotPrivateGetAccount(params: object): Promise<Row>;
  spotPrivateGetUid(params: object): Promise<Row>;
  spotPrivatePostUserDataStream(params: object): Promise<Row>;
  spotPrivateGetUserDataStream(params: object): Promise<Row>;
  spotPrivatePutUserDataStream(params: object): Promise<Row>;
  spotPrivateDeleteUserDataStream(params: object): Promise<Row>;
  close(): Promise<unknown>;
}

/** How a trading adapter of MEXC spot is made. */
export interface MexcTradingConfig extends TradingConfig {
  /** The way to the venue. Whoever opened it closes it. */
  readonly net: VenueNet;
  /** Shared by everything of this process that asks this venue. */
  readonly budget: RateBudget;
}

/**
 * MEXC spot, or a venue that speaks its protocol, as one account trades on it. Its answers to orders and cancels say nothing
 * of what became of them: that must be asked for.
 *
 * @example
 * const trading = await openMexcTrading({ key, net: openExternalNet('mexc', 'mexc', { now: Date.now }), budget: venueBudget('mexc', Date.now), markets, now: Date.now });
 * await trading.place({ clientOrderId: 'abc123-1-1', pair: 'BTC-USDT', side: 'buy', type: 'market', … });
 */
export async function openMexcTrading(config: MexcTradingConfig): Promise<TradingExchange> {
  const { now } = config;
  const [Base, errors, decode] = await Promise.all([loadMexc(), loadErrors(), loadMexcDecoder()]);
  /** ccxt writes its own time over ours: here it is given ours as its own. */
  class Timed extends Base {
    signedAt = 0;

    override sign(path: string, api?: string | readonly string[], method?: string, params: object = {}, ...rest: []) {
      this.signedAt = Number((params as { timestamp?: number }).timestamp ?? 0);
      return super.sign(path, api, method, params, ...rest);
    }

    override nonce(): number {
      return this.signedAt;
    }
  }
  const venue = openSignedVenue<Endpoints>(
    {
      ...{ name: NAME, Base: Timed, errors, endpoints: MEXC_ENDPOINTS, library: LIBRARY_ORIGINS.mexc },
      serverTime: (exchange) => exchange.spotPublicGetTime(),
      errorOf: mexcErrorOf,
    },
    config,
  );
  const { exchange, clock, call, read, readable, loadMarkets, marketOf, marketById } = venue;
  /** Orders that were to be cancelled. */
  const cancels = openOrderNames();
  const isCancelRequested = (name: string) => cancels.get(name) !== undefined;

  /** Fills from `at` on by time, backwards: the list begins with the newest and tells no more than a page. */
  async function tradePages(market: Market, at: number): Promise<Row[]> {
    const found = new Map<string, Row>();
    // MEXC has told times in whole seconds: a fill may bear one that lies before it.
    const since = Math.floor(at / 1_000) * 1_000;
    // Without an end the newest are in any case among them.
    for (let end: number | null = null; ; ) {
      const until: { endTime?: number } = end === null ? {} : { endTime: end };
      const rows = await read(10, (signed) =>
        exchange.spotPrivateGetMyTrades({
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
      if (end === oldest) throw new ExchangeUnreachable(NAME, 'more trades in one millisecond than it tells');
      end = oldest;
    }
    return [...found.values()].sort(
      (a, b) => Number(a.time) - Number(b.time) || (String(a.id) < String(b.id) ? -1 : 1),
    );
  }

  async function send(request: OrderRequest, market: Market): Promise<void> {
    await call(1, 'order', true, async (venueTime) =>
      exchange.spotPrivatePostOrder({
        ...orderParams(request, market),
        timestamp: venue.decidedAt(request, venueTime),
      }),
    );
  }

  async function bestPrices(market: Market): Promise<Row> {
    return call(1, 'order', false, () => exchange.spotPublicGetTickerBookTicker({ symbol: venueSymbol(market) }));
  }

  async function ownTrades(pair: string, { at }: TradeCursor): Promise<OwnFill[]> {
    const market = await marketOf(pair);
    const rows = await tradePages(market, at);
    return readable(() => rows.map((row) => tradeOfAccount(row, market, nameOf(row))));
  }

  return {
    name: NAME,
    time: () => clock.venueTime(now()),

    async place(request) {
      const market = await marketOf(request.pair);
      const across = async () => send(asMarketableLimit(request, market, await bestPrices(market)), market);
      if (needsLimit(request)) await across();
      else {
        try {
          await send(request, market);
        } catch (error) {
          if (!marketOrdersAreOff(error, request)) throw error;
          await across();
        }
      }
      return { report: null, fills: [] };
    },

    async cancel(pair, clientOrderId) {
      const market = await marketOf(pair);
      cancels.set(clientOrderId, clientOrderId);
      await call(1, 'order', true, (venueTime) =>
        exchange.spotPrivateDeleteOrder({
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
          exchange.spotPrivateGetOrder({ symbol: venueSymbol(market), origClientOrderId: clientOrderId, ...signed }),
        );
        return readable(() => orderOf(row, marketById, isCancelRequested));
      });
    },

    async openOrders(pairs) {
      const lists = await Promise.all(
        pairs.map(async (pair) => {
          const symbol = venueSymbol(await marketOf(pair));
          return read(3, (signed) => exchange.spotPrivateGetOpenOrders({ symbol, ...signed }));
        }),
      );
      return readable(() => lists.flat().map((row) => orderOf(row, marketById, isCancelRequested)));
    },

    ownTrades,

    async balances() {
      const account = await read(10, (signed) => exchange.spotPrivateGetAccount(signed));
      return (account.balances as Row[]).map(({ asset, free, locked }) => ({
        asset: String(asset),
        free: String(free),
        locked: String(locked),
      }));
    },

    async account() {
      const { uid } = await read(1, (signed) => exchange.spotPrivateGetUid(signed));
      return uid === undefined ? null : String(uid);
    },

    margin: null,

    async permissions() {
      const account = await read(10, (signed) => exchange.spotPrivateGetAccount(signed));
      // What the account may do is not what the key may do, and of keys MEXC tells nothing: whether this one may trade
      // shows when it tries an order that is only looked at.
      const trade = String(account.canTrade) === 'true' && (await mayTry());
      return { trade, withdraw: null, ipRestricted: null };
    },

    stream(listener) {
      return openMexcAccountStream(
        {
          net: config.net,
          decode,
          marketById,
          isCancelRequested,
          loadMarkets,
          async listenKeys() {
            const { listenKey } = await read(1, (signed) => exchange.spotPrivateGetUserDataStream(signed));
            return [listenKey].flat().map(String);
          },
          async newListenKey() {
            return String((await read(1, (signed) => exchange.spotPrivatePostUserDataStream(signed))).listenKey);
          },
          async renew(listenKey) {
            await read(1, (signed) => exchange.spotPrivatePutUserDataStream({ listenKey, ...signed }));
          },
          async forget(listenKey) {
            await read(1, (signed) => exchange.spotPrivateDeleteUserDataStream({ listenKey, ...signed }));
          },
          fillsSince: (pair, at) => ownTrades(pair, { at, id: '' }),
        },
        listener,
      );
    },

    async close() {
      await exchange.close();
    },
  };

  async function mayTry(): Promise<boolean> {
    const [market] = await config.markets();
    if (market === undefined) return true;
    const order = { symbol: venueSymbol(market), side: 'BUY', type: 'LIMIT', quantity: '1', price: '1' };
    try {
      await read(1, (signed) => exchange.spotPrivatePostOrderTest({ ...order, ...signed }));
      return true;
    } catch (error) {
      // Whatever else is wrong with such an order, the key was let in.
      if (error instanceof ExchangeRefused) return error.about !== 'not_allowed';
      throw error;
    }
  }
}

function orderParams(request: OrderRequest, market: Market): object {
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
