import type { Bracket } from '@heron/engine/ledger/brackets.ts';
import { ORDER_LIFETIME_MS, type OrderRequest } from '@heron/engine/live/orderRequest.ts';
import type { OwnIncome } from '@heron/engine/live/report.ts';
import type { Market } from '@heron/engine/market/market.ts';
import { formatUnits } from '@heron/engine/money/units.ts';
import type { Trigger } from '@heron/engine/state/parentOrder.ts';
import { keyPermissions } from '../binance/keyPermissions.ts';
import { binanceTrades } from '../binance/ownTrades.ts';
import type { Row } from '../binance/parseAccount.ts';
import { exchangeErrorOf } from '../ccxt/ccxtErrors.ts';
import { loadBinanceUsdm, loadErrors } from '../ccxt/library.ts';
import { type ExchangeError, ExchangeRefused } from '../errors.ts';
import type { RateBudget } from '../http/rateBudget.ts';
import { LIBRARY_ORIGINS } from '../net/hosts.ts';
import type { VenueNet } from '../net/venueNet.ts';
import type { MarginAccount, TradingConfig, TradingExchange } from '../trading.ts';
import { openOrderNames, orderKey } from '../venue/orderIds.ts';
import { venueSymbol } from '../venue/signedCalls.ts';
import { openSignedVenue } from '../venue/signedVenue.ts';
import { openBinanceUsdmAccountStream } from './accountStream.ts';
import { bracketsOf, incomeOf, orderOf, positionOf, settingsOf, stopOf, tradeOf, walletOf } from './parseAccount.ts';

const NAME = 'binanceusdm';
/** Lists of trades tell of seven days at most. */
const WEEK_MS = 7 * 86_400_000;
const PAGE = 1_000;
/** Margin rules are read anew each day. @see docs/margin.md#leverage-brackets */
const DAY_MS = 86_400_000;
const ALL_ORDERS_WEIGHT = 40;

/** Everything that is ever signed. */
export const BINANCEUSDM_ENDPOINTS = new Set([
  'fapiPublic GET time',
  'fapiPrivate POST order',
  'fapiPrivate DELETE order',
  'fapiPrivate GET order',
  'fapiPrivate GET openOrders',
  'fapiPrivate GET allOrders',
  'fapiPrivate POST algoOrder',
  'fapiPrivate DELETE algoOrder',
  'fapiPrivate GET algoOrder',
  'fapiPrivate GET openAlgoOrders',
  'fapiPrivate GET userTrades',
  'fapiPrivate GET income',
  'fapiPrivate GET symbolConfig',
  'fapiPrivate GET accountConfig',
  'fapiPrivate GET leverageBracket',
  'fapiPrivate POST leverage',
  'fapiPrivate POST marginType',
  'fapiPrivate POST listenKey',
  'fapiPrivateV3 GET balance',
  'fapiPrivateV3 GET positionRisk',
  'sapi GET account/apiRestrictions',
]);

/** The endpoint methods that ccxt makes from its own table. */
interface Endpoints {
  fapiPublicGetTime(): Promise<Row>;
  fapiPrivatePostOrder(params: object): Promise<Row>;
  fapiPrivateDeleteOrder(params: object): Promise<Row>;
  fapiPrivateGetOrder(params: object): Promise<Row>;
  fapiPrivateGetOpenOrders(params: object): Promise<Row[]>;
  fapiPrivateGetAllOrders(params: object): Promise<Row[]>;
  fapiPrivatePostAlgoOrder(params: object): Promise<Row>;
  fapiPrivateDeleteAlgoOrder(params: object): Promise<Row>;
  fapiPrivateGetAlgoOrder(params: object): Promise<Row>;
  fapiPrivateGetOpenAlgoOrders(params: object): Promise<Row[]>;
  fapiPrivateGetUserTrades(params: object): Promise<Row[]>;
  fapiPrivateGetIncome(params: object): Promise<Row[]>;
  fapiPrivateGetSymbolConfig(params: object): Promise<Row[]>;
  fapiPrivateGetAccountConfig(params: object): Promise<Row>;
  fapiPrivateGetLeverageBracket(params: object): Promise<Row[]>;
  fapiPrivatePostLeverage(params: object): Promise<Row>;
  fapiPrivatePostMarginType(params: object): Promise<Row>;
  fapiPrivatePostListenKey(params: object): Promise<Row>;
  fapiPrivateV3GetBalance(params: object): Promise<Row[]>;
  fapiPrivateV3GetPositionRisk(params: object): Promise<Row[]>;
  sapiGetAccountApiRestrictions(params: object): Promise<Row>;
  close(): Promise<unknown>;
}

/** What the owner of an account has chosen for it; read, never changed. */
interface AccountMode {
  /** Long and short of a contract may be held at once. */
  readonly hedge: boolean;
  /** Other assets answer for positions too: where those are liquidated, nobody here could say. */
  readonly multiAssets: boolean;
}

/** How a trading adapter of Binance USD-M is made. */
export interface BinanceUsdmTradingConfig extends TradingConfig {
  /** The way to the venue. Whoever opened it closes it. */
  readonly net: VenueNet;
  /** Shared by everything of this process that asks this venue. */
  readonly budget: RateBudget;
}

/**
 * Perpetual contracts of Binance USD-M, or of a venue that speaks its protocol, as one account trades on them, in one-way
 * mode and in hedge mode.
 *
 * @example
 * const trading = await openBinanceUsdmTrading({ key, net: openExternalNet('binanceusdm', 'binanceusdm', { now: Date.now }), budget: venueBudget('binanceusdm', Date.now), markets, now: Date.now });
 * await trading.margin?.setLeverage('BTC-USDT', 5);
 */
export async function openBinanceUsdmTrading(config: BinanceUsdmTradingConfig): Promise<TradingExchange> {
  const { now } = config;
  const [Base, errors] = await Promise.all([loadBinanceUsdm(), loadErrors()]);
  const names = openOrderNames();
  /** Orders that only reduce. */
  const exits = openOrderNames();
  /** Names of stops by the orders that they have become. */
  const stops = openOrderNames();
  const learnOrder = (order: string, clientOrderId: string, exit: boolean) => {
    names.set(order, clientOrderId);
    if (exit) exits.set(order, clientOrderId);
  };
  const venue = openSignedVenue<Endpoints>(
    {
      ...{ name: NAME, Base, errors, endpoints: BINANCEUSDM_ENDPOINTS, library: LIBRARY_ORIGINS.binanceusdm },
      serverTime: (exchange) => exchange.fapiPublicGetTime(),
      errorOf: usdmErrorOf,
    },
    config,
  );
  const { exchange, clock, call, read, readable, loadMarkets, marketOf, marketById } = venue;
  /** As the last look at the account has told, which is when its owner may have changed it; null until it was read. */
  let mode: AccountMode | null = null;
  let brackets: { at: number; byPair: ReadonlyMap<string, readonly Bracket[]> } | null = null;

  async function readMode(): Promise<AccountMode> {
    const answer = await read(5, (signed) => exchange.fapiPrivateGetAccountConfig(signed));
    mode = {
      hedge: String(answer.dualSidePosition) === 'true',
      multiAssets: String(answer.multiAssetsMargin) === 'true',
    };
    return mode;
  }

  /** Rows of contracts that we know, with their markets. */
  async function known<T>(rows: readonly Row[], make: (row: Row, market: Market) => T): Promise<T[]> {
    await loadMarkets();
    return readable(() =>
      rows.flatMap((row) => {
        const market = marketById(String(row.symbol));
        return market === undefined ? [] : [make(row, market)];
      }),
    );
  }

  function listed(row: Row) {
    const order = orderOf(row, marketById);
    const key = orderKey(row.symbol, row.orderId);
    learnOrder(key, order.clientOrderId, order.exit);
    return { ...order, clientOrderId: stops.get(key) ?? order.clientOrderId };
  }

  function listedStop(row: Row) {
    const stop = stopOf(row, marketById);
    if (row.actualOrderId) stops.set(orderKey(row.symbol, row.actualOrderId), stop.clientOrderId);
    return stop;
  }

  /** A stop, or what it has become. */
  async function stopOrder(symbol: string, clientAlgoId: string) {
    const row = await read(1, (signed) => exchange.fapiPrivateGetAlgoOrder({ clientAlgoId, ...signed }));
    const stop = readable(() => listedStop(row));
    if (!row.actualOrderId) return stop;
    const { actualOrderId: orderId } = row;
    const order = await read(1, (signed) => exchange.fapiPrivateGetOrder({ symbol, orderId, ...signed }));
    return readable(() => ({ ...listed(order), type: stop.type }));
  }

  const margin: MarginAccount = {
    async positions() {
      const rows = await read(5, (signed) => exchange.fapiPrivateV3GetPositionRisk(signed));
      return (await known(rows, positionOf)).filter(({ quantity }) => quantity !== 0);
    },

    async settings() {
      const [rows] = await Promise.all([read(5, (signed) => exchange.fapiPrivateGetSymbolConfig(signed)), readMode()]);
      return known(rows, settingsOf);
    },

    async setLeverage(pair, leverage) {
      const symbol = venueSymbol(await marketOf(pair));
      await call(1, 'order', true, (venueTime) =>
        exchange.fapiPrivatePostLeverage({ symbol, leverage, timestamp: venueTime(now()) }),
      );
    },

    async setMarginMode(pair, mode) {
      const symbol = venueSymbol(await marketOf(pair));
      const marginType = mode === 'isolated' ? 'ISOLATED' : 'CROSSED';
      try {
        await call(1, 'order', true, (venueTime) =>
          exchange.fapiPrivatePostMarginType({ symbol, marginType, timestamp: venueTime(now()) }),
        );
      } catch (error) {
        if (!(error instanceof ExchangeRefused) || !error.message.includes('-4046')) throw error;
      }
    },

    async hedged() {
      return (await readMode()).hedge;
    },

    async brackets() {
      if (brackets !== null && now() < brackets.at + DAY_MS) return brackets.byPair;
      const rows = await read(1, (signed) => exchange.fapiPrivateGetLeverageBracket(signed));
      const byPair = new Map(await known(rows, (row, { pair }) => [pair, bracketsOf(row)] as const));
      brackets = { at: now(), byPair };
      return byPair;
    },

    async incomes(since) {
      await loadMarkets();
      const found = new Map<string, OwnIncome>();
      for (let startTime = since; ; ) {
        const rows = await read(30, (signed) => exchange.fapiPrivateGetIncome({ startTime, limit: PAGE, ...signed }));
        for (const income of readable(() => rows.map((row) => incomeOf(row, marketById)))) {
          if (income !== null) found.set(`${income.type}/${income.id}`, income);
        }
        const newest = Math.max(...rows.map(({ time }) => Number(time)));
        if (rows.length < PAGE) break;
        // A page that ends within a moment is asked for again from that moment on.
        startTime = newest > startTime ? newest : newest + 1;
      }
      return [...found.values()].sort((a, b) => a.at - b.at);
    },
  };

  return {
    name: NAME,
    time: () => clock.venueTime(now()),

    async place(request) {
      const market = await marketOf(request.pair);
      const { hedge, multiAssets } = mode ?? (await readMode());
      if (multiAssets && !request.exit) {
        // Its owner may change it before the next order.
        mode = null;
        throw new ExchangeRefused(NAME, 'the account is in multi-assets mode, in which nothing is entered');
      }
      try {
        if (request.trigger !== undefined) {
          const row = await call(1, 'order', true, async (venueTime) =>
            exchange.fapiPrivatePostAlgoOrder({
              ...stopParams(request, request.trigger as Trigger, market, hedge),
              timestamp: venue.decidedAt(request, venueTime),
            }),
          );
          return { report: readable(() => listedStop(row)), fills: [] };
        }
        const row = await call(1, 'order', true, async (venueTime) =>
          exchange.fapiPrivatePostOrder({
            ...orderParams(request, market, hedge),
            timestamp: venue.decidedAt(request, venueTime),
          }),
        );
        return { report: readable(() => listed(row)), fills: [] };
      } catch (error) {
        // The owner has changed the account's mode.
        if (error instanceof ExchangeRefused && error.message.includes('-4061')) mode = null;
        throw error;
      }
    },

    async cancel(pair, clientOrderId, kind = 'plain') {
      const symbol = venueSymbol(await marketOf(pair));
      if (kind === 'stop') {
        await call(1, 'order', true, (venueTime) =>
          exchange.fapiPrivateDeleteAlgoOrder({ clientAlgoId: clientOrderId, timestamp: venueTime(now()) }),
        );
        return null;
      }
      const row = await call(1, 'order', true, (venueTime) =>
        exchange.fapiPrivateDeleteOrder({ symbol, origClientOrderId: clientOrderId, timestamp: venueTime(now()) }),
      );
      return readable(() => listed(row));
    },

    async order(pair, clientOrderId, kind = 'plain') {
      const symbol = venueSymbol(await marketOf(pair));
      return venue.unlessUnknown(async () => {
        if (kind === 'stop') return stopOrder(symbol, clientOrderId);
        const row = await read(1, (signed) =>
          exchange.fapiPrivateGetOrder({ symbol, origClientOrderId: clientOrderId, ...signed }),
        );
        return readable(() => listed(row));
      });
    },

    async openOrders(pairs) {
      const wanted = new Set(pairs);
      // All contracts at once weigh as much as forty of them one by one.
      const each = async (ask: (params: object) => Promise<Row[]>) => {
        if (pairs.length > ALL_ORDERS_WEIGHT) return read(ALL_ORDERS_WEIGHT, ask);
        const symbols = await Promise.all(pairs.map(async (pair) => venueSymbol(await marketOf(pair))));
        const lists = symbols.map((symbol) => read(1, (signed) => ask({ symbol, ...signed })));
        return (await Promise.all(lists)).flat();
      };
      // Stops first: one that is triggered meanwhile is told twice rather than not at all.
      const waiting = await known(await each((params) => exchange.fapiPrivateGetOpenAlgoOrders(params)), listedStop);
      const resting = await known(await each((params) => exchange.fapiPrivateGetOpenOrders(params)), listed);
      return [...waiting, ...resting].filter(({ pair }) => wanted.has(pair));
    },

    async ownTrades(pair, since) {
      const market = await marketOf(pair);
      const symbol = venueSymbol(market);
      const lists = {
        spanMs: WEEK_MS,
        names,
        learn: (row: Row) => readable(() => listed(row)),
        trades: (asked: object) =>
          read(5, (signed) => exchange.fapiPrivateGetUserTrades({ symbol, ...asked, ...signed })),
        orders: (asked: object) =>
          read(5, (signed) => exchange.fapiPrivateGetAllOrders({ symbol, ...asked, ...signed })),
      };
      return binanceTrades(lists, since, clock.venueTime(now()), (row, name) =>
        readable(() => {
          const key = orderKey(row.symbol, row.orderId);
          return tradeOf(row, market, stops.get(key) ?? name, exits.get(key) !== undefined);
        }),
      );
    },

    async balances() {
      const rows = await read(5, (signed) => exchange.fapiPrivateV3GetBalance(signed));
      return rows.map(({ asset, balance }) => walletOf(asset, balance));
    },

    margin,

    async account() {
      const [row] = await read(5, (signed) => exchange.fapiPrivateV3GetBalance(signed));
      return row?.accountAlias === undefined ? null : String(row.accountAlias);
    },

    async permissions() {
      if (config.net.hosts.keys.length === 0) {
        // A testnet does not report what a key may do; from a testnet nothing can be withdrawn.
        const { canTrade } = await read(5, (signed) => exchange.fapiPrivateGetAccountConfig(signed));
        return { trade: String(canTrade) === 'true', withdraw: false, ipRestricted: null };
      }
      const answer = await read(1, (signed) => exchange.sapiGetAccountApiRestrictions(signed));
      return keyPermissions(answer, 'enableFutures');
    },

    stream(listener) {
      return openBinanceUsdmAccountStream(
        {
          net: config.net,
          marketById,
          loadMarkets,
          async listenKey() {
            return String((await call(1, 'account', false, () => exchange.fapiPrivatePostListenKey({}))).listenKey);
          },
          learn: learnOrder,
          triggered: (order, stop) => stops.set(order, stop),
          stopBehind: (order) => stops.get(order),
        },
        listener,
      );
    },

    async close() {
      await exchange.close();
    },
  };
}

/** What an error of ccxt's means; of a post-only order that would take the library has no word of its own. */
function usdmErrorOf(error: unknown, context: Parameters<typeof exchangeErrorOf>[1]): ExchangeError {
  const meant = exchangeErrorOf(error, context);
  if (!(meant instanceof ExchangeRefused) || !/"code":\s*-5022\b/.test(meant.message)) return meant;
  return new ExchangeRefused(NAME, meant.message, 'would_take', error);
}

/** In hedge mode an order names the side of the position that it works on, in one-way mode whether it only reduces. */
function sideParams({ side, exit }: OrderRequest, hedge: boolean): object {
  const long = (side === 'buy') !== exit;
  return {
    side: side === 'buy' ? 'BUY' : 'SELL',
    ...(hedge ? { positionSide: long ? 'LONG' : 'SHORT' } : exit ? { reduceOnly: 'true' } : {}),
  };
}

function orderParams(request: OrderRequest, market: Market, hedge: boolean): object {
  const { type } = request;
  return {
    symbol: venueSymbol(market),
    ...sideParams(request, hedge),
    quantity: formatUnits(request.quantity, market.assetDecimals),
    newClientOrderId: request.clientOrderId,
    newOrderRespType: 'RESULT',
    recvWindow: ORDER_LIFETIME_MS,
    ...(type === 'market'
      ? { type: 'MARKET' }
      : { type: 'LIMIT', price: formatUnits(request.price), timeInForce: type === 'limit_maker' ? 'GTX' : 'IOC' }),
  };
}

/** Conditional orders have an endpoint of their own. */
function stopParams(request: OrderRequest, trigger: Trigger, market: Market, hedge: boolean): object {
  return {
    algoType: 'CONDITIONAL',
    symbol: venueSymbol(market),
    ...sideParams(request, hedge),
    type: 'STOP_MARKET',
    quantity: formatUnits(request.quantity, market.assetDecimals),
    triggerPrice: formatUnits(trigger.price),
    workingType: trigger.by === 'mark' ? 'MARK_PRICE' : 'CONTRACT_PRICE',
    clientAlgoId: request.clientOrderId,
    recvWindow: ORDER_LIFETIME_MS,
  };
}
