import type { FuturesAccount } from '../../accounts/futures/futuresAccount.ts';
import type { AlgoOrder, FuturesOrder } from '../../accounts/futures/futuresOrders.ts';
import { initialMargin, maxNotionalAt } from '../../accounts/futures/margin.ts';
import type { AccountStatement, PositionFigures } from '../../accounts/futures/statement.ts';
import { dayStatistics } from '../../market/dayStatistics.ts';
import { INTERVALS } from '../../market/intervals.ts';
import type { PairMarket } from '../../market/pairMarket.ts';
import type { FuturesExchange } from '../../venues/futures/futuresExchange.ts';
import { apiRestrictions } from '../binance/apiRestrictions.ts';
import { BinanceError, binanceError } from '../binance/errors.ts';
import { aggregateRow, aggregatesFrom, depth, klines, tradeRow, tradesFrom } from '../binance/marketData.ts';
import { Parameters } from '../binance/parameters.ts';
import {
  accountRow,
  balanceRow,
  incomeRow,
  oldAccountRow,
  oldPositionRiskRow,
  positionRiskRow,
} from './accountRows.ts';
import { MARGIN_TYPE_WORDS, translate, usdmError } from './errors.ts';
import { exchangeInfo } from './exchangeInfo.ts';
import { contractLevel, money, plain } from './format.ts';
import type { ListenKeys } from './listenKeys.ts';
import { bracketRow, fundingHistory, futuresTickerRow, premiumIndexRow } from './marketRows.ts';
import { acknowledgedRow, algoRow, openAlgoRow, orderRow, placedAlgoRow, userTradeRow } from './orderRows.ts';
import { RATE_LIMITS } from './rateLimits.ts';
import { readAlgo, readAmendment, readOrder, readPositionSide, readUnits, wantsResult } from './readOrder.ts';

const WEEK_MS = 7 * 86_400_000;
const MAX_BATCH = 5;

/** What an answer may need to know. */
export type RouteContext = {
  exchange: FuturesExchange;
  listenKeys: ListenKeys;
  parameters: Parameters;
  now: number;
  /** what the exchange's clock shows: `now`, unless a script has set it wrong */
  serverTime: number;
};

/** One thing the exchange can be asked. */
export type Route = {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  path: string;
  /** `signed` requests carry key, timestamp and signature; `key` ones the key alone */
  security: 'none' | 'key' | 'signed';
  /** counts as an order */
  isOrder?: true;
  weight: number | ((parameters: Parameters) => number);
  handle(context: RouteContext): unknown;
};

export const ROUTES: readonly Route[] = [
  ...publicRoutes(),
  ...orderRoutes(),
  ...algoRoutes(),
  ...accountRoutes(),
  ...settingRoutes(),
  {
    method: 'POST',
    path: '/fapi/v1/listenKey',
    security: 'key',
    weight: 1,
    handle: ({ listenKeys, now }) => ({ listenKey: listenKeys.make(now) }),
  },
  {
    method: 'PUT',
    path: '/fapi/v1/listenKey',
    security: 'key',
    weight: 1,
    handle: ({ listenKeys, now }) => ({ listenKey: listenKeys.keepAlive(now) }),
  },
  {
    method: 'DELETE',
    path: '/fapi/v1/listenKey',
    security: 'key',
    weight: 1,
    handle({ listenKeys }) {
      listenKeys.close();
      return {};
    },
  },
];

function publicRoutes(): Route[] {
  const get = (path: string, weight: Route['weight'], handle: Route['handle']): Route => ({
    method: 'GET',
    path,
    security: 'none',
    weight,
    handle,
  });
  const perSymbol = (one: number, all: number) => (parameters: Parameters) => (parameters.has('symbol') ? one : all);
  return [
    get('/fapi/v1/ping', 1, () => ({})),
    get('/fapi/v1/time', 1, ({ serverTime }) => ({ serverTime })),
    get('/fapi/v1/exchangeInfo', 1, ({ exchange, serverTime }) => exchangeInfo(exchange, serverTime)),
    get(
      '/fapi/v1/depth',
      (parameters) => depthWeight(depthLimit(parameters)),
      (context) => ({
        ...inContractDecimals(oneMarket(context), depth(oneMarket(context), depthLimit(context.parameters))),
        E: context.now,
        T: context.now,
      }),
    ),
    get('/fapi/v1/trades', 5, (context) => {
      const { pair, recent } = oneMarket(context);
      return recent.slice(-context.parameters.limit(500, 1000)).map((trade) => tradeRow(pair, trade));
    }),
    get('/fapi/v1/historicalTrades', 20, (context) => {
      const { pair, recent } = oneMarket(context);
      const limit = context.parameters.limit(100, 500);
      const rows = tradesFrom(recent, context.parameters.integer('fromId'), limit);
      return rows.map((trade) => tradeRow(pair, trade));
    }),
    get('/fapi/v1/aggTrades', 20, (context) => {
      const { pair, recent } = oneMarket(context);
      const limit = context.parameters.limit(500, 1000);
      const rows = aggregatesFrom(recent, context.parameters.integer('fromId'), span(context.parameters), limit);
      return rows.map((row) => aggregateRow(pair, row));
    }),
    ...['klines', 'continuousKlines', 'markPriceKlines', 'indexPriceKlines'].map((name) =>
      get(`/fapi/v1/${name}`, 5, (context) => {
        const market = oneMarket(
          context,
          name === 'continuousKlines' || name === 'indexPriceKlines' ? 'pair' : 'symbol',
        );
        const interval = INTERVALS.get(context.parameters.mandatory('interval'));
        if (!interval) throw binanceError.interval();
        const { start, end } = span(context.parameters);
        return klines(market, interval, start, end, klineLimit(context.parameters));
      }),
    ),
    get('/fapi/v1/premiumIndex', perSymbol(1, 10), (context) =>
      perMarket(context, (market) => premiumIndexRow(context.exchange, market)),
    ),
    get('/fapi/v1/fundingRate', 1, (context) => {
      const { start, end } = span(context.parameters);
      const limit = context.parameters.limit(100, 1000);
      return chosenMarkets(context)
        .flatMap((market) => fundingHistory(context.exchange, market, start, end, limit))
        .sort((a, b) => a.fundingTime - b.fundingTime)
        .slice(0, limit);
    }),
    get('/fapi/v1/fundingInfo', 1, ({ exchange }) =>
      exchange.markets.map(({ pair }) => ({
        symbol: pair.symbol,
        adjustedFundingRateCap: '0.00300000',
        adjustedFundingRateFloor: '-0.00300000',
        fundingIntervalHours: exchange.fundingMs / 3_600_000,
        disclaimer: false,
      })),
    ),
    get('/fapi/v1/ticker/24hr', perSymbol(1, 40), (context) =>
      perMarket(context, (market) => futuresTickerRow(dayStatistics(market, context.now))),
    ),
    ...['/fapi/v1/ticker/price', '/fapi/v2/ticker/price'].map((path) =>
      get(path, perSymbol(1, 2), (context) =>
        perMarket(context, ({ pair, lastTick, recent }) => ({
          symbol: pair.symbol,
          price: plain(lastTick, pair.priceDecimals),
          time: recent.last()?.time ?? context.now,
        })),
      ),
    ),
    get('/fapi/v1/ticker/bookTicker', perSymbol(2, 5), (context) =>
      perMarket(context, (market) => ({
        ...bookTicker(market),
        time: context.now,
        lastUpdateId: market.book.updateId,
      })),
    ),
    get('/fapi/v1/openInterest', 1, (context) => {
      const { pair } = oneMarket(context);
      const steps = context.exchange.account
        .positions()
        .reduce((sum, position) => (position.symbol === pair.symbol ? sum + Math.abs(position.steps) : sum), 0);
      return { symbol: pair.symbol, openInterest: plain(steps, pair.quantityDecimals), time: context.now };
    }),
  ];
}

function orderRoutes(): Route[] {
  return [
    {
      method: 'POST',
      path: '/fapi/v1/order',
      security: 'signed',
      isOrder: true,
      weight: 0,
      handle: (context) => placeOrder(context, context.parameters),
    },
    {
      method: 'POST',
      path: '/fapi/v1/order/test',
      security: 'signed',
      weight: 0,
      handle({ exchange, parameters, now, ...rest }) {
        const market = oneMarket({ exchange, parameters, now, ...rest });
        const terms = readOrder(exchange, market, parameters);
        translate(() => exchange.check(market.pair.symbol, terms, now));
        return {};
      },
    },
    {
      method: 'PUT',
      path: '/fapi/v1/order',
      security: 'signed',
      isOrder: true,
      weight: 1,
      handle(context) {
        const { exchange, parameters, now } = context;
        const market = oneMarket(context);
        const { symbol } = market.pair;
        const to = readAmendment(exchange, market, parameters);
        const order = translate(() => exchange.amend(symbol, findOrder(parameters, symbol), to, now));
        return acknowledgedRow(exchange.account, order, true);
      },
    },
    {
      method: 'GET',
      path: '/fapi/v1/order',
      security: 'signed',
      weight: 1,
      handle(context) {
        const { exchange, parameters } = context;
        const order = findOrder(parameters, oneMarket(context).pair.symbol)(exchange.account);
        if (!order) throw binanceError.noSuchOrder();
        return orderRow(exchange.account, order);
      },
    },
    {
      method: 'GET',
      path: '/fapi/v1/openOrder',
      security: 'signed',
      weight: 1,
      handle(context) {
        const { exchange, parameters } = context;
        const order = findOrder(parameters, oneMarket(context).pair.symbol)(exchange.account);
        if (!order || !exchange.account.isOpen(order)) throw binanceError.noSuchOrder();
        return orderRow(exchange.account, order);
      },
    },
    {
      method: 'DELETE',
      path: '/fapi/v1/order',
      security: 'signed',
      weight: 1,
      handle: (context) => cancelOrder(context, findOrder(context.parameters, oneMarket(context).pair.symbol)),
    },
    {
      method: 'DELETE',
      path: '/fapi/v1/allOpenOrders',
      security: 'signed',
      weight: 1,
      handle(context) {
        const { symbol } = oneMarket(context).pair;
        for (const { id } of context.exchange.account.openOrders(symbol)) {
          // one may have ended with the one before it
          const order = context.exchange.account.order(symbol, id);
          if (order && context.exchange.account.isOpen(order))
            context.exchange.cancel(symbol, () => order, context.now);
        }
        return { code: 200, msg: 'The operation of cancel all open order is done.' };
      },
    },
    {
      method: 'POST',
      path: '/fapi/v1/batchOrders',
      security: 'signed',
      isOrder: true,
      weight: 5,
      handle(context) {
        const rows = readBatch(context.parameters.mandatory('batchOrders'), 'batchOrders');
        return rows.map((row) => attempt(() => placeOrder(context, parametersOf(row))));
      },
    },
    {
      method: 'DELETE',
      path: '/fapi/v1/batchOrders',
      security: 'signed',
      weight: 1,
      handle(context) {
        const { symbol } = oneMarket(context).pair;
        const byId = context.parameters.has('orderIdList');
        const name = byId ? 'orderIdList' : 'origClientOrderIdList';
        return readBatch(context.parameters.mandatory(name), name).map((item) =>
          attempt(() =>
            cancelOrder(context, (account) =>
              byId ? account.order(symbol, Number(item)) : account.orderByClientId(symbol, String(item)),
            ),
          ),
        );
      },
    },
    {
      method: 'GET',
      path: '/fapi/v1/openOrders',
      security: 'signed',
      weight: (parameters) => (parameters.has('symbol') ? 1 : 40),
      handle(context) {
        const { account } = context.exchange;
        const symbol = context.parameters.has('symbol') ? oneMarket(context).pair.symbol : undefined;
        return account.openOrders(symbol).map((order) => orderRow(account, order));
      },
    },
    {
      method: 'GET',
      path: '/fapi/v1/allOrders',
      security: 'signed',
      weight: 5,
      handle(context) {
        const { account } = context.exchange;
        const from = context.parameters.integer('orderId');
        const { start, end } = weekOf(context.parameters);
        const rows = (account.orders.get(oneMarket(context).pair.symbol) ?? []).filter(
          ({ id, time }) => (from === undefined || id >= from) && isWithin(time, start, end),
        );
        return page(context.parameters, rows, from !== undefined || start !== undefined).map((order) =>
          orderRow(account, order),
        );
      },
    },
    {
      method: 'GET',
      path: '/fapi/v1/forceOrders',
      security: 'signed',
      weight: (parameters) => (parameters.has('symbol') ? 20 : 50),
      handle(context) {
        const { account } = context.exchange;
        const rows = chosenMarkets(context).flatMap(({ pair }) => account.orders.get(pair.symbol) ?? []);
        const { start, end } = span(context.parameters);
        return rows
          .filter(({ liquidation, time }) => liquidation && isWithin(time, start, end))
          .slice(-context.parameters.limit(50, 100))
          .map((order) => orderRow(account, order));
      },
    },
    {
      method: 'GET',
      path: '/fapi/v1/userTrades',
      security: 'signed',
      weight: 5,
      handle(context) {
        const market = oneMarket(context);
        const contract = context.exchange.contract(market);
        const order = context.parameters.integer('orderId');
        const from = context.parameters.integer('fromId');
        if (from !== undefined && (context.parameters.has('startTime') || context.parameters.has('endTime'))) {
          throw binanceError.combination();
        }
        const { start, end } = weekOf(context.parameters);
        const rows = (context.exchange.account.trades.get(contract.symbol) ?? []).filter(
          ({ id, orderId, time }) =>
            (order === undefined || orderId === order) &&
            (from === undefined || id >= from) &&
            isWithin(time, start, end),
        );
        return page(context.parameters, rows, from !== undefined || start !== undefined).map((trade) =>
          userTradeRow(contract, trade),
        );
      },
    },
    {
      method: 'GET',
      path: '/fapi/v1/rateLimit/order',
      security: 'signed',
      weight: 1,
      handle: () => RATE_LIMITS.filter(({ rateLimitType }) => rateLimitType === 'ORDERS'),
    },
  ];
}

function algoRoutes(): Route[] {
  return [
    {
      method: 'POST',
      path: '/fapi/v1/algoOrder',
      security: 'signed',
      isOrder: true,
      weight: 0,
      handle(context) {
        const { exchange, parameters, now } = context;
        const market = oneMarket(context);
        wantsResult(parameters);
        const terms = readAlgo(exchange, market, parameters);
        return placedAlgoRow(
          exchange.account,
          translate(() => exchange.placeAlgo(market.pair.symbol, terms, now)),
        );
      },
    },
    {
      method: 'DELETE',
      path: '/fapi/v1/algoOrder',
      security: 'signed',
      weight: 1,
      handle({ exchange, parameters, now }) {
        const algo = translate(() => exchange.cancelAlgo(findAlgo(parameters), now));
        return { algoId: algo.id, clientAlgoId: algo.clientId, code: '200', msg: 'success' };
      },
    },
    {
      method: 'GET',
      path: '/fapi/v1/algoOrder',
      security: 'signed',
      weight: 1,
      handle({ exchange, parameters }) {
        const algo = findAlgo(parameters)(exchange.account);
        if (!algo) throw binanceError.noSuchOrder();
        return algoRow(exchange.account, algo);
      },
    },
    {
      method: 'DELETE',
      path: '/fapi/v1/algoOpenOrders',
      security: 'signed',
      weight: 1,
      handle(context) {
        const { exchange, now } = context;
        const { symbol } = oneMarket(context).pair;
        for (const algo of [...exchange.account.pendingAlgos.values()]) {
          if (algo.symbol === symbol && exchange.account.pendingAlgos.has(algo.id))
            exchange.cancelAlgo(() => algo, now);
        }
        return { code: 200, msg: 'The operation of cancel all open order is done.' };
      },
    },
    {
      method: 'GET',
      path: '/fapi/v1/openAlgoOrders',
      security: 'signed',
      weight: (parameters) => (parameters.has('symbol') ? 1 : 40),
      handle(context) {
        const { account } = context.exchange;
        const symbols = new Set(chosenMarkets(context).map(({ pair }) => pair.symbol));
        return [...account.pendingAlgos.values()]
          .filter(({ symbol }) => symbols.has(symbol))
          .map((algo) => openAlgoRow(account, algo));
      },
    },
    {
      method: 'GET',
      path: '/fapi/v1/allAlgoOrders',
      security: 'signed',
      weight: 5,
      handle(context) {
        const { account } = context.exchange;
        const { symbol } = oneMarket(context).pair;
        const from = context.parameters.integer('algoId');
        const { start, end } = weekOf(context.parameters);
        const rows = account.algos.filter(
          (algo) =>
            algo.symbol === symbol && (from === undefined || algo.id >= from) && isWithin(algo.time, start, end),
        );
        return page(context.parameters, rows, from !== undefined || start !== undefined).map((algo) =>
          algoRow(account, algo),
        );
      },
    },
  ];
}

function accountRoutes(): Route[] {
  const get = (path: string, weight: number, handle: Route['handle']): Route => ({
    method: 'GET',
    path,
    security: 'signed',
    weight,
    handle,
  });
  return [
    get('/fapi/v3/account', 5, ({ exchange }) => accountRow(exchange.account, exchange.statement())),
    get('/fapi/v2/account', 5, (context) => {
      const all = context.exchange.statement();
      return oldAccountRow(context.exchange.account, all, everyPosition(context, all));
    }),
    get('/fapi/v3/balance', 5, ({ exchange }) => [balanceRow(exchange.account, exchange.statement())]),
    get('/fapi/v2/balance', 5, ({ exchange }) => [balanceRow(exchange.account, exchange.statement())]),
    get('/fapi/v3/positionRisk', 5, (context) => {
      const all = context.exchange.statement();
      const symbols = new Set(chosenMarkets(context).map(({ pair }) => pair.symbol));
      return all.positions
        .filter(({ contract }) => symbols.has(contract.symbol))
        .map((row) => positionRiskRow(all, row));
    }),
    get('/fapi/v2/positionRisk', 5, (context) => {
      const all = context.exchange.statement();
      return everyPosition(context, all).map((row) => oldPositionRiskRow(all, row));
    }),
    get('/fapi/v1/accountConfig', 5, ({ exchange }) => ({
      feeTier: 0,
      canTrade: true,
      canDeposit: false,
      canWithdraw: false,
      dualSidePosition: exchange.account.hedgeMode,
      updateTime: 0,
      multiAssetsMargin: false,
      tradeGroupId: -1,
    })),
    // On Binance it has a host of its own.
    get('/sapi/v1/account/apiRestrictions', 1, () => apiRestrictions('futures')),
    get('/fapi/v1/symbolConfig', 5, (context) =>
      chosenMarkets(context).map((market) => {
        const contract = context.exchange.contract(market);
        const { leverage, marginType } = context.exchange.account.settings(contract.symbol);
        return {
          symbol: contract.symbol,
          marginType,
          isAutoAddMargin: false,
          leverage,
          maxNotionalValue: String(maxNotionalAt(contract, leverage)),
        };
      }),
    ),
    get('/fapi/v1/leverageBracket', 1, (context) => {
      const rows = chosenMarkets(context).map((market) => bracketRow(context.exchange.contract(market)));
      return rows;
    }),
    get('/fapi/v1/commissionRate', 20, (context) => ({
      symbol: oneMarket(context).pair.symbol,
      makerCommissionRate: '0.000200',
      takerCommissionRate: '0.000500',
      rpiCommissionRate: '0.000200',
    })),
    get('/fapi/v1/income', 30, (context) => {
      const { parameters, exchange } = context;
      const symbol = parameters.has('symbol') ? oneMarket(context).pair.symbol : undefined;
      const type = parameters.text('incomeType');
      const { start, end } = span(parameters);
      const rows = exchange.account.incomes.filter(
        (income) =>
          (symbol === undefined || income.symbol === symbol) &&
          (type === undefined || income.type === type) &&
          isWithin(income.time, start, end),
      );
      const limit = parameters.limit(100, 1000);
      const skipped = ((parameters.integer('page') ?? 1) - 1) * limit;
      return (start === undefined ? rows.slice(-limit) : rows.slice(skipped, skipped + limit)).map(incomeRow);
    }),
  ];
}

function settingRoutes(): Route[] {
  const done = { code: 200, msg: 'success' };
  return [
    {
      method: 'POST',
      path: '/fapi/v1/leverage',
      security: 'signed',
      weight: 1,
      handle(context) {
        const { exchange, parameters, now } = context;
        const contract = exchange.contract(oneMarket(context));
        parameters.mandatory('leverage');
        const leverage = parameters.integer('leverage') as number;
        const max = contract.brackets[0]?.initialLeverage ?? 1;
        if (leverage < 1 || leverage > max) throw usdmError.leverage(leverage);
        translate(() => exchange.setLeverage(contract.symbol, leverage, now));
        return { symbol: contract.symbol, leverage, maxNotionalValue: String(maxNotionalAt(contract, leverage)) };
      },
    },
    {
      method: 'POST',
      path: '/fapi/v1/marginType',
      security: 'signed',
      weight: 1,
      handle(context) {
        const { exchange, parameters, now } = context;
        const { symbol } = oneMarket(context).pair;
        parameters.mandatory('marginType');
        const type = parameters.word('marginType', ['ISOLATED', 'CROSSED'], () => binanceError.invalid('marginType'));
        translate(() => exchange.setMarginType(symbol, type ?? 'CROSSED', now), MARGIN_TYPE_WORDS);
        return done;
      },
    },
    {
      method: 'POST',
      path: '/fapi/v1/positionSide/dual',
      security: 'signed',
      weight: 1,
      handle({ exchange, parameters, now }) {
        const dual = parameters.mandatory('dualSidePosition').toLowerCase();
        if (dual !== 'true' && dual !== 'false') throw binanceError.invalid('dualSidePosition');
        translate(() => exchange.setPositionMode(dual === 'true', now));
        return done;
      },
    },
    {
      method: 'GET',
      path: '/fapi/v1/positionSide/dual',
      security: 'signed',
      weight: 30,
      handle: ({ exchange }) => ({ dualSidePosition: exchange.account.hedgeMode }),
    },
    {
      method: 'GET',
      path: '/fapi/v1/multiAssetsMargin',
      security: 'signed',
      weight: 30,
      handle: () => ({ multiAssetsMargin: false }),
    },
    {
      method: 'POST',
      path: '/fapi/v1/positionMargin',
      security: 'signed',
      weight: 1,
      handle(context) {
        const { exchange, parameters, now } = context;
        const { symbol } = oneMarket(context).pair;
        parameters.mandatory('amount');
        const units = readUnits(parameters, 'amount') as bigint;
        if (units <= 0n) throw usdmError.amount();
        const type = parameters.mandatory('type');
        if (type !== '1' && type !== '2') throw binanceError.invalid('type');
        const side = readPositionSide(parameters);
        translate(() => exchange.changeMargin(symbol, side, type === '1' ? units : -units, now));
        return {
          amount: Number(money(units)),
          code: 200,
          msg: 'Successfully modify position margin.',
          type: Number(type),
        };
      },
    },
    {
      method: 'GET',
      path: '/fapi/v1/positionMargin/history',
      security: 'signed',
      weight: 1,
      handle(context) {
        const { symbol } = oneMarket(context).pair;
        return context.exchange.account.marginChanges
          .filter((change) => change.symbol === symbol)
          .slice(-context.parameters.limit(500, 500))
          .map(({ positionSide, units, time }) => ({
            symbol,
            type: units > 0n ? 1 : 2,
            deltaType: 'USER_ADJUST',
            amount: money(units < 0n ? -units : units),
            asset: 'USDT',
            time,
            positionSide,
          }));
      },
    },
  ];
}

function placeOrder(context: RouteContext, parameters: Parameters): object {
  const { exchange, now } = context;
  const market = oneMarket({ ...context, parameters });
  const known = wantsResult(parameters);
  const terms = readOrder(exchange, market, parameters);
  const order = translate(() => exchange.place(market.pair.symbol, terms, now));
  return acknowledgedRow(exchange.account, order, known);
}

function cancelOrder(context: RouteContext, find: (account: FuturesAccount) => FuturesOrder | undefined): object {
  const { symbol } = oneMarket(context).pair;
  const order = translate(() => context.exchange.cancel(symbol, find, context.now));
  return acknowledgedRow(context.exchange.account, order, true);
}

/** The order that `orderId` or `origClientOrderId` names. */
function findOrder(parameters: Parameters, symbol: string): (account: FuturesAccount) => FuturesOrder | undefined {
  const id = parameters.integer('orderId');
  const clientId = parameters.text('origClientOrderId');
  if (id !== undefined) return (account) => account.order(symbol, id);
  if (clientId !== undefined) return (account) => account.orderByClientId(symbol, clientId);
  throw binanceError.missingEither('origClientOrderId', 'orderId');
}

/** The conditional order that `algoId` or `clientAlgoId` names. */
function findAlgo(parameters: Parameters): (account: FuturesAccount) => AlgoOrder | undefined {
  const id = parameters.integer('algoId');
  const clientId = parameters.text('clientAlgoId');
  if (id !== undefined) return (account) => account.algo(id);
  if (clientId !== undefined) return (account) => account.algoByClientId(clientId);
  throw binanceError.missingEither('clientAlgoId', 'algoId');
}

/** Positions of all contracts asked for, also the flat ones. */
function everyPosition(context: RouteContext, all: AccountStatement): PositionFigures[] {
  const { account } = context.exchange;
  const sides = account.hedgeMode ? (['LONG', 'SHORT'] as const) : (['BOTH'] as const);
  return chosenMarkets(context).flatMap((market) => {
    const contract = context.exchange.contract(market);
    return sides.map((side): PositionFigures => {
      const known = all.positions.find((row) => row.contract === contract && row.position.side === side);
      const { leverage, marginType } = account.settings(contract.symbol);
      return (
        known ?? {
          contract,
          position: account.position(contract.symbol, side),
          leverage,
          marginType,
          mark: context.exchange.mark(market).mark,
          notional: 0n,
          unrealised: 0n,
          maintenance: 0n,
          positionMargin: initialMargin(0n, leverage),
          orderMargin: 0n,
          bidNotional: 0n,
          askNotional: 0n,
        }
      );
    });
  });
}

/** The market that a parameter names. */
function oneMarket({ exchange, parameters }: RouteContext, name = 'symbol'): PairMarket {
  parameters.mandatory(name);
  const market = exchange.market(parameters.symbol(name) as string);
  if (!market) throw binanceError.symbol();
  return market;
}

/** The market that `symbol` names, or all. */
function chosenMarkets(context: RouteContext): readonly PairMarket[] {
  return context.parameters.has('symbol') ? [oneMarket(context)] : context.exchange.markets;
}

/** A row for the one symbol asked for, or a list of rows. */
function perMarket(context: RouteContext, row: (market: PairMarket) => object): unknown {
  const rows = chosenMarkets(context).map(row);
  return context.parameters.has('symbol') ? rows[0] : rows;
}

function span(parameters: Parameters): { start: number | undefined; end: number | undefined } {
  const start = parameters.integer('startTime');
  const end = parameters.integer('endTime');
  if (start !== undefined && end !== undefined && start > end) {
    throw new BinanceError(-1023, 'Start time is greater than end time.');
  }
  return { start, end };
}

/** As `span`, for lists that tell of seven days at most. */
function weekOf(parameters: Parameters): { start: number | undefined; end: number | undefined } {
  const { start, end } = span(parameters);
  if (start !== undefined && end !== undefined && end - start > WEEK_MS) {
    throw new BinanceError(-4165, 'Invalid time interval');
  }
  return { start, end };
}

function isWithin(time: number, start: number | undefined, end: number | undefined): boolean {
  return (start === undefined || time >= start) && (end === undefined || time <= end);
}

/** The first rows from where was asked, else the last ones. */
function page<T>(parameters: Parameters, rows: readonly T[], bounded: boolean): readonly T[] {
  const limit = parameters.limit(500, 1000);
  return bounded ? rows.slice(0, limit) : rows.slice(-limit);
}

/** A JSON list of at most as many as may come together. */
function readBatch(text: string, name: string): unknown[] {
  let list: unknown;
  try {
    list = JSON.parse(text);
  } catch {
    throw binanceError.invalid(name);
  }
  if (!Array.isArray(list) || list.length === 0) throw binanceError.invalid(name);
  if (name === 'batchOrders' && list.length > MAX_BATCH) {
    throw new BinanceError(-4082, `Invalid number of batch place orders.`);
  }
  return list;
}

function parametersOf(row: unknown): Parameters {
  if (typeof row !== 'object' || row === null) throw binanceError.invalid('batchOrders');
  return new Parameters(new Map(Object.entries(row).map(([name, value]) => [name, String(value)])));
}

function attempt(action: () => object): object {
  try {
    return action();
  } catch (error) {
    if (error instanceof BinanceError) return error.body;
    throw error;
  }
}

const DEPTHS: readonly number[] = [5, 10, 20, 50, 100, 500, 1_000];

/** @throws BinanceError -4021 for a number of levels that there is not */
function depthLimit(parameters: Parameters): number {
  const limit = parameters.integer('limit') ?? 500;
  if (!DEPTHS.includes(limit)) throw usdmError.depthLimit(limit);
  return limit;
}

/** @throws BinanceError -1130 for more candles than there are in one answer */
function klineLimit(parameters: Parameters): number {
  const limit = parameters.integer('limit') ?? 500;
  if (limit < 1 || limit > 1_500) throw binanceError.invalid('limit');
  return limit;
}

/** Best prices with the decimals of the contract. */
function bookTicker({ pair, book }: PairMarket): object {
  const [bidPrice, bidQty] = contractLevel(pair, book.bestBid, book.bids.quantity(book.bestBid));
  const [askPrice, askQty] = contractLevel(pair, book.bestAsk, book.asks.quantity(book.bestAsk));
  return { symbol: pair.symbol, bidPrice, bidQty, askPrice, askQty };
}

function inContractDecimals({ pair, book }: PairMarket, told: { bids: string[][]; asks: string[][] }): object {
  const rows = (levels: [number, number][]) => levels.map(([tick, steps]) => contractLevel(pair, tick, steps));
  return {
    ...told,
    bids: rows(book.levels('buy', told.bids.length)),
    asks: rows(book.levels('sell', told.asks.length)),
  };
}

function depthWeight(limit: number): number {
  if (limit <= 50) return 2;
  if (limit <= 100) return 5;
  return limit <= 500 ? 10 : 20;
}
