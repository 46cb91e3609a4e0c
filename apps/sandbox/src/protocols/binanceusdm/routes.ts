import type { FuturesDesk } from '../../accounts/futures/futuresAccount.ts';
import type { AlgoOrder, FuturesOrder } from '../../accounts/futures/futuresOrders.ts';
import { initialMargin, mostNotional } from '../../accounts/futures/margin.ts';
import type { PositionFigures, Statement } from '../../accounts/futures/statement.ts';
import { dayStatistics } from '../../market/dayStatistics.ts';
import { INTERVALS } from '../../market/intervals.ts';
import type { PairMarket } from '../../market/pairMarket.ts';
import type { FuturesExchange } from '../../venues/futures/futuresExchange.ts';
import { apiRestrictions } from '../binance/apiRestrictions.ts';
import { BinanceError, refuse as refuseSpot } from '../binance/errors.ts';
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
import { MARGIN_TYPE_WORDS, refuse, translate } from './errors.ts';
import { exchangeInfo } from './exchangeInfo.ts';
import { contractLevel, money, plain } from './format.ts';
import type { ListenKeys } from './listenKeys.ts';
import { bracketRow, fundingHistory, futuresTickerRow, premiumIndexRow } from './marketRows.ts';
import { acknowledgedRow, algoRow, openAlgoRow, orderRow, placedAlgoRow, userTradeRow } from './orderRows.ts';
import { RATE_LIMITS } from './rateLimits.ts';
import { readAlgo, readAmendment, readOrder, readPositionSide, readUnits, wantsResult } from './readOrder.ts';

const WEEK_MS = 7 * 86_400_000;
const MOST_IN_BATCH = 5;

/** What an answer may need to know. */
export type Asked = {
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
  answer(asked: Asked): unknown;
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
    answer: ({ listenKeys, now }) => ({ listenKey: listenKeys.make(now) }),
  },
  {
    method: 'PUT',
    path: '/fapi/v1/listenKey',
    security: 'key',
    weight: 1,
    answer: ({ listenKeys, now }) => ({ listenKey: listenKeys.keepAlive(now) }),
  },
  {
    method: 'DELETE',
    path: '/fapi/v1/listenKey',
    security: 'key',
    weight: 1,
    answer({ listenKeys }) {
      listenKeys.close();
      return {};
    },
  },
];

function publicRoutes(): Route[] {
  const get = (path: string, weight: Route['weight'], answer: Route['answer']): Route => ({
    method: 'GET',
    path,
    security: 'none',
    weight,
    answer,
  });
  const perSymbol = (one: number, all: number) => (parameters: Parameters) => (parameters.has('symbol') ? one : all);
  return [
    get('/fapi/v1/ping', 1, () => ({})),
    get('/fapi/v1/time', 1, ({ serverTime }) => ({ serverTime })),
    get('/fapi/v1/exchangeInfo', 1, ({ exchange, serverTime }) => exchangeInfo(exchange, serverTime)),
    get(
      '/fapi/v1/depth',
      (parameters) => depthWeight(depthLimit(parameters)),
      (asked) => ({
        ...inContractDecimals(oneMarket(asked), depth(oneMarket(asked), depthLimit(asked.parameters))),
        E: asked.now,
        T: asked.now,
      }),
    ),
    get('/fapi/v1/trades', 5, (asked) => {
      const { pair, recent } = oneMarket(asked);
      return recent.slice(-asked.parameters.limit(500, 1000)).map((trade) => tradeRow(pair, trade));
    }),
    get('/fapi/v1/historicalTrades', 20, (asked) => {
      const { pair, recent } = oneMarket(asked);
      const limit = asked.parameters.limit(100, 500);
      const rows = tradesFrom(recent, asked.parameters.integer('fromId'), limit);
      return rows.map((trade) => tradeRow(pair, trade));
    }),
    get('/fapi/v1/aggTrades', 20, (asked) => {
      const { pair, recent } = oneMarket(asked);
      const limit = asked.parameters.limit(500, 1000);
      const rows = aggregatesFrom(recent, asked.parameters.integer('fromId'), span(asked.parameters), limit);
      return rows.map((row) => aggregateRow(pair, row));
    }),
    ...['klines', 'continuousKlines', 'markPriceKlines', 'indexPriceKlines'].map((name) =>
      get(`/fapi/v1/${name}`, 5, (asked) => {
        const market = oneMarket(asked, name === 'continuousKlines' || name === 'indexPriceKlines' ? 'pair' : 'symbol');
        const interval = INTERVALS.get(asked.parameters.mandatory('interval'));
        if (!interval) throw refuseSpot.interval();
        const { start, end } = span(asked.parameters);
        return klines(market, interval, start, end, klineLimit(asked.parameters));
      }),
    ),
    get('/fapi/v1/premiumIndex', perSymbol(1, 10), (asked) =>
      perMarket(asked, (market) => premiumIndexRow(asked.exchange, market)),
    ),
    get('/fapi/v1/fundingRate', 1, (asked) => {
      const { start, end } = span(asked.parameters);
      const limit = asked.parameters.limit(100, 1000);
      return chosenMarkets(asked)
        .flatMap((market) => fundingHistory(asked.exchange, market, start, end, limit))
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
    get('/fapi/v1/ticker/24hr', perSymbol(1, 40), (asked) =>
      perMarket(asked, (market) => futuresTickerRow(dayStatistics(market, asked.now))),
    ),
    ...['/fapi/v1/ticker/price', '/fapi/v2/ticker/price'].map((path) =>
      get(path, perSymbol(1, 2), (asked) =>
        perMarket(asked, ({ pair, lastTick, recent }) => ({
          symbol: pair.symbol,
          price: plain(lastTick, pair.priceDecimals),
          time: recent.last()?.time ?? asked.now,
        })),
      ),
    ),
    get('/fapi/v1/ticker/bookTicker', perSymbol(2, 5), (asked) =>
      perMarket(asked, (market) => ({
        ...bookTicker(market),
        time: asked.now,
        lastUpdateId: market.book.updateId,
      })),
    ),
    get('/fapi/v1/openInterest', 1, (asked) => {
      const { pair } = oneMarket(asked);
      const steps = asked.exchange.desk
        .positions()
        .reduce((sum, position) => (position.symbol === pair.symbol ? sum + Math.abs(position.steps) : sum), 0);
      return { symbol: pair.symbol, openInterest: plain(steps, pair.quantityDecimals), time: asked.now };
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
      answer: (asked) => placeOrder(asked, asked.parameters),
    },
    {
      method: 'POST',
      path: '/fapi/v1/order/test',
      security: 'signed',
      weight: 0,
      answer({ exchange, parameters, now, ...rest }) {
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
      answer(asked) {
        const { exchange, parameters, now } = asked;
        const market = oneMarket(asked);
        const { symbol } = market.pair;
        const to = readAmendment(exchange, market, parameters);
        const order = translate(() => exchange.amend(symbol, findOrder(parameters, symbol), to, now));
        return acknowledgedRow(exchange.desk, order, true);
      },
    },
    {
      method: 'GET',
      path: '/fapi/v1/order',
      security: 'signed',
      weight: 1,
      answer(asked) {
        const { exchange, parameters } = asked;
        const order = findOrder(parameters, oneMarket(asked).pair.symbol)(exchange.desk);
        if (!order) throw refuseSpot.noSuchOrder();
        return orderRow(exchange.desk, order);
      },
    },
    {
      method: 'GET',
      path: '/fapi/v1/openOrder',
      security: 'signed',
      weight: 1,
      answer(asked) {
        const { exchange, parameters } = asked;
        const order = findOrder(parameters, oneMarket(asked).pair.symbol)(exchange.desk);
        if (!order || !exchange.desk.isOpen(order)) throw refuseSpot.noSuchOrder();
        return orderRow(exchange.desk, order);
      },
    },
    {
      method: 'DELETE',
      path: '/fapi/v1/order',
      security: 'signed',
      weight: 1,
      answer: (asked) => cancelOrder(asked, findOrder(asked.parameters, oneMarket(asked).pair.symbol)),
    },
    {
      method: 'DELETE',
      path: '/fapi/v1/allOpenOrders',
      security: 'signed',
      weight: 1,
      answer(asked) {
        const { symbol } = oneMarket(asked).pair;
        for (const { id } of asked.exchange.desk.openOrders(symbol)) {
          // one may have ended with the one before it
          const order = asked.exchange.desk.order(symbol, id);
          if (order && asked.exchange.desk.isOpen(order)) asked.exchange.cancel(symbol, () => order, asked.now);
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
      answer(asked) {
        const rows = readBatch(asked.parameters.mandatory('batchOrders'), 'batchOrders');
        return rows.map((row) => attempt(() => placeOrder(asked, parametersOf(row))));
      },
    },
    {
      method: 'DELETE',
      path: '/fapi/v1/batchOrders',
      security: 'signed',
      weight: 1,
      answer(asked) {
        const { symbol } = oneMarket(asked).pair;
        const byId = asked.parameters.has('orderIdList');
        const name = byId ? 'orderIdList' : 'origClientOrderIdList';
        return readBatch(asked.parameters.mandatory(name), name).map((item) =>
          attempt(() =>
            cancelOrder(asked, (desk) =>
              byId ? desk.order(symbol, Number(item)) : desk.orderByClientId(symbol, String(item)),
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
      answer(asked) {
        const { desk } = asked.exchange;
        const symbol = asked.parameters.has('symbol') ? oneMarket(asked).pair.symbol : undefined;
        return desk.openOrders(symbol).map((order) => orderRow(desk, order));
      },
    },
    {
      method: 'GET',
      path: '/fapi/v1/allOrders',
      security: 'signed',
      weight: 5,
      answer(asked) {
        const { desk } = asked.exchange;
        const from = asked.parameters.integer('orderId');
        const { start, end } = weekOf(asked.parameters);
        const rows = (desk.orders.get(oneMarket(asked).pair.symbol) ?? []).filter(
          ({ id, time }) => (from === undefined || id >= from) && isWithin(time, start, end),
        );
        return page(asked.parameters, rows, from !== undefined || start !== undefined).map((order) =>
          orderRow(desk, order),
        );
      },
    },
    {
      method: 'GET',
      path: '/fapi/v1/forceOrders',
      security: 'signed',
      weight: (parameters) => (parameters.has('symbol') ? 20 : 50),
      answer(asked) {
        const { desk } = asked.exchange;
        const rows = chosenMarkets(asked).flatMap(({ pair }) => desk.orders.get(pair.symbol) ?? []);
        const { start, end } = span(asked.parameters);
        return rows
          .filter(({ liquidation, time }) => liquidation && isWithin(time, start, end))
          .slice(-asked.parameters.limit(50, 100))
          .map((order) => orderRow(desk, order));
      },
    },
    {
      method: 'GET',
      path: '/fapi/v1/userTrades',
      security: 'signed',
      weight: 5,
      answer(asked) {
        const market = oneMarket(asked);
        const contract = asked.exchange.contract(market);
        const order = asked.parameters.integer('orderId');
        const from = asked.parameters.integer('fromId');
        if (from !== undefined && (asked.parameters.has('startTime') || asked.parameters.has('endTime'))) {
          throw refuseSpot.combination();
        }
        const { start, end } = weekOf(asked.parameters);
        const rows = (asked.exchange.desk.trades.get(contract.symbol) ?? []).filter(
          ({ id, orderId, time }) =>
            (order === undefined || orderId === order) &&
            (from === undefined || id >= from) &&
            isWithin(time, start, end),
        );
        return page(asked.parameters, rows, from !== undefined || start !== undefined).map((trade) =>
          userTradeRow(contract, trade),
        );
      },
    },
    {
      method: 'GET',
      path: '/fapi/v1/rateLimit/order',
      security: 'signed',
      weight: 1,
      answer: () => RATE_LIMITS.filter(({ rateLimitType }) => rateLimitType === 'ORDERS'),
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
      answer(asked) {
        const { exchange, parameters, now } = asked;
        const market = oneMarket(asked);
        wantsResult(parameters);
        const terms = readAlgo(exchange, market, parameters);
        return placedAlgoRow(
          exchange.desk,
          translate(() => exchange.placeAlgo(market.pair.symbol, terms, now)),
        );
      },
    },
    {
      method: 'DELETE',
      path: '/fapi/v1/algoOrder',
      security: 'signed',
      weight: 1,
      answer({ exchange, parameters, now }) {
        const algo = translate(() => exchange.cancelAlgo(findAlgo(parameters), now));
        return { algoId: algo.id, clientAlgoId: algo.clientId, code: '200', msg: 'success' };
      },
    },
    {
      method: 'GET',
      path: '/fapi/v1/algoOrder',
      security: 'signed',
      weight: 1,
      answer({ exchange, parameters }) {
        const algo = findAlgo(parameters)(exchange.desk);
        if (!algo) throw refuseSpot.noSuchOrder();
        return algoRow(exchange.desk, algo);
      },
    },
    {
      method: 'DELETE',
      path: '/fapi/v1/algoOpenOrders',
      security: 'signed',
      weight: 1,
      answer(asked) {
        const { exchange, now } = asked;
        const { symbol } = oneMarket(asked).pair;
        for (const algo of [...exchange.desk.waiting.values()]) {
          if (algo.symbol === symbol && exchange.desk.waiting.has(algo.id)) exchange.cancelAlgo(() => algo, now);
        }
        return { code: 200, msg: 'The operation of cancel all open order is done.' };
      },
    },
    {
      method: 'GET',
      path: '/fapi/v1/openAlgoOrders',
      security: 'signed',
      weight: (parameters) => (parameters.has('symbol') ? 1 : 40),
      answer(asked) {
        const { desk } = asked.exchange;
        const symbols = new Set(chosenMarkets(asked).map(({ pair }) => pair.symbol));
        return [...desk.waiting.values()]
          .filter(({ symbol }) => symbols.has(symbol))
          .map((algo) => openAlgoRow(desk, algo));
      },
    },
    {
      method: 'GET',
      path: '/fapi/v1/allAlgoOrders',
      security: 'signed',
      weight: 5,
      answer(asked) {
        const { desk } = asked.exchange;
        const { symbol } = oneMarket(asked).pair;
        const from = asked.parameters.integer('algoId');
        const { start, end } = weekOf(asked.parameters);
        const rows = desk.algos.filter(
          (algo) =>
            algo.symbol === symbol && (from === undefined || algo.id >= from) && isWithin(algo.time, start, end),
        );
        return page(asked.parameters, rows, from !== undefined || start !== undefined).map((algo) =>
          algoRow(desk, algo),
        );
      },
    },
  ];
}

function accountRoutes(): Route[] {
  const get = (path: string, weight: number, answer: Route['answer']): Route => ({
    method: 'GET',
    path,
    security: 'signed',
    weight,
    answer,
  });
  return [
    get('/fapi/v3/account', 5, ({ exchange }) => accountRow(exchange.desk, exchange.statement())),
    get('/fapi/v2/account', 5, (asked) => {
      const all = asked.exchange.statement();
      return oldAccountRow(asked.exchange.desk, all, everyPosition(asked, all));
    }),
    get('/fapi/v3/balance', 5, ({ exchange }) => [balanceRow(exchange.desk, exchange.statement())]),
    get('/fapi/v2/balance', 5, ({ exchange }) => [balanceRow(exchange.desk, exchange.statement())]),
    get('/fapi/v3/positionRisk', 5, (asked) => {
      const all = asked.exchange.statement();
      const symbols = new Set(chosenMarkets(asked).map(({ pair }) => pair.symbol));
      return all.positions
        .filter(({ contract }) => symbols.has(contract.symbol))
        .map((row) => positionRiskRow(all, row));
    }),
    get('/fapi/v2/positionRisk', 5, (asked) => {
      const all = asked.exchange.statement();
      return everyPosition(asked, all).map((row) => oldPositionRiskRow(all, row));
    }),
    get('/fapi/v1/accountConfig', 5, ({ exchange }) => ({
      feeTier: 0,
      canTrade: true,
      canDeposit: false,
      canWithdraw: false,
      dualSidePosition: exchange.desk.dual,
      updateTime: 0,
      multiAssetsMargin: false,
      tradeGroupId: -1,
    })),
    // On Binance it has a host of its own.
    get('/sapi/v1/account/apiRestrictions', 1, () => apiRestrictions('futures')),
    get('/fapi/v1/symbolConfig', 5, (asked) =>
      chosenMarkets(asked).map((market) => {
        const contract = asked.exchange.contract(market);
        const { leverage, marginType } = asked.exchange.desk.settings(contract.symbol);
        return {
          symbol: contract.symbol,
          marginType,
          isAutoAddMargin: false,
          leverage,
          maxNotionalValue: String(mostNotional(contract, leverage)),
        };
      }),
    ),
    get('/fapi/v1/leverageBracket', 1, (asked) => {
      const rows = chosenMarkets(asked).map((market) => bracketRow(asked.exchange.contract(market)));
      return rows;
    }),
    get('/fapi/v1/commissionRate', 20, (asked) => ({
      symbol: oneMarket(asked).pair.symbol,
      makerCommissionRate: '0.000200',
      takerCommissionRate: '0.000500',
      rpiCommissionRate: '0.000200',
    })),
    get('/fapi/v1/income', 30, (asked) => {
      const { parameters, exchange } = asked;
      const symbol = parameters.has('symbol') ? oneMarket(asked).pair.symbol : undefined;
      const type = parameters.text('incomeType');
      const { start, end } = span(parameters);
      const rows = exchange.desk.incomes.filter(
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
      answer(asked) {
        const { exchange, parameters, now } = asked;
        const contract = exchange.contract(oneMarket(asked));
        parameters.mandatory('leverage');
        const leverage = parameters.integer('leverage') as number;
        const most = contract.brackets[0]?.initialLeverage ?? 1;
        if (leverage < 1 || leverage > most) throw refuse.leverage(leverage);
        translate(() => exchange.setLeverage(contract.symbol, leverage, now));
        return { symbol: contract.symbol, leverage, maxNotionalValue: String(mostNotional(contract, leverage)) };
      },
    },
    {
      method: 'POST',
      path: '/fapi/v1/marginType',
      security: 'signed',
      weight: 1,
      answer(asked) {
        const { exchange, parameters, now } = asked;
        const { symbol } = oneMarket(asked).pair;
        parameters.mandatory('marginType');
        const type = parameters.word('marginType', ['ISOLATED', 'CROSSED'], () => refuseSpot.invalid('marginType'));
        translate(() => exchange.setMarginType(symbol, type ?? 'CROSSED', now), MARGIN_TYPE_WORDS);
        return done;
      },
    },
    {
      method: 'POST',
      path: '/fapi/v1/positionSide/dual',
      security: 'signed',
      weight: 1,
      answer({ exchange, parameters, now }) {
        const dual = parameters.mandatory('dualSidePosition').toLowerCase();
        if (dual !== 'true' && dual !== 'false') throw refuseSpot.invalid('dualSidePosition');
        translate(() => exchange.setPositionMode(dual === 'true', now));
        return done;
      },
    },
    {
      method: 'GET',
      path: '/fapi/v1/positionSide/dual',
      security: 'signed',
      weight: 30,
      answer: ({ exchange }) => ({ dualSidePosition: exchange.desk.dual }),
    },
    {
      method: 'GET',
      path: '/fapi/v1/multiAssetsMargin',
      security: 'signed',
      weight: 30,
      answer: () => ({ multiAssetsMargin: false }),
    },
    {
      method: 'POST',
      path: '/fapi/v1/positionMargin',
      security: 'signed',
      weight: 1,
      answer(asked) {
        const { exchange, parameters, now } = asked;
        const { symbol } = oneMarket(asked).pair;
        parameters.mandatory('amount');
        const units = readUnits(parameters, 'amount') as bigint;
        if (units <= 0n) throw refuse.amount();
        const type = parameters.mandatory('type');
        if (type !== '1' && type !== '2') throw refuseSpot.invalid('type');
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
      answer(asked) {
        const { symbol } = oneMarket(asked).pair;
        return asked.exchange.desk.marginChanges
          .filter((change) => change.symbol === symbol)
          .slice(-asked.parameters.limit(500, 500))
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

function placeOrder(asked: Asked, parameters: Parameters): object {
  const { exchange, now } = asked;
  const market = oneMarket({ ...asked, parameters });
  const known = wantsResult(parameters);
  const terms = readOrder(exchange, market, parameters);
  const order = translate(() => exchange.place(market.pair.symbol, terms, now));
  return acknowledgedRow(exchange.desk, order, known);
}

function cancelOrder(asked: Asked, find: (desk: FuturesDesk) => FuturesOrder | undefined): object {
  const { symbol } = oneMarket(asked).pair;
  const order = translate(() => asked.exchange.cancel(symbol, find, asked.now));
  return acknowledgedRow(asked.exchange.desk, order, true);
}

/** The order that `orderId` or `origClientOrderId` names. */
function findOrder(parameters: Parameters, symbol: string): (desk: FuturesDesk) => FuturesOrder | undefined {
  const id = parameters.integer('orderId');
  const clientId = parameters.text('origClientOrderId');
  if (id !== undefined) return (desk) => desk.order(symbol, id);
  if (clientId !== undefined) return (desk) => desk.orderByClientId(symbol, clientId);
  throw refuseSpot.missingEither('origClientOrderId', 'orderId');
}

/** The conditional order that `algoId` or `clientAlgoId` names. */
function findAlgo(parameters: Parameters): (desk: FuturesDesk) => AlgoOrder | undefined {
  const id = parameters.integer('algoId');
  const clientId = parameters.text('clientAlgoId');
  if (id !== undefined) return (desk) => desk.algo(id);
  if (clientId !== undefined) return (desk) => desk.algoByClientId(clientId);
  throw refuseSpot.missingEither('clientAlgoId', 'algoId');
}

/** Positions of all contracts asked for, also the flat ones. */
function everyPosition(asked: Asked, all: Statement): PositionFigures[] {
  const { desk } = asked.exchange;
  const sides = desk.dual ? (['LONG', 'SHORT'] as const) : (['BOTH'] as const);
  return chosenMarkets(asked).flatMap((market) => {
    const contract = asked.exchange.contract(market);
    return sides.map((side): PositionFigures => {
      const known = all.positions.find((row) => row.contract === contract && row.position.side === side);
      const { leverage, marginType } = desk.settings(contract.symbol);
      return (
        known ?? {
          contract,
          position: desk.position(contract.symbol, side),
          leverage,
          marginType,
          mark: asked.exchange.mark(market).mark,
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
function oneMarket({ exchange, parameters }: Asked, name = 'symbol'): PairMarket {
  parameters.mandatory(name);
  const market = exchange.market(parameters.symbol(name) as string);
  if (!market) throw refuseSpot.symbol();
  return market;
}

/** The market that `symbol` names, or all. */
function chosenMarkets(asked: Asked): readonly PairMarket[] {
  return asked.parameters.has('symbol') ? [oneMarket(asked)] : asked.exchange.markets;
}

/** A row for the one symbol asked for, or a list of rows. */
function perMarket(asked: Asked, row: (market: PairMarket) => object): unknown {
  const rows = chosenMarkets(asked).map(row);
  return asked.parameters.has('symbol') ? rows[0] : rows;
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
    throw refuseSpot.invalid(name);
  }
  if (!Array.isArray(list) || list.length === 0) throw refuseSpot.invalid(name);
  if (name === 'batchOrders' && list.length > MOST_IN_BATCH) {
    throw new BinanceError(-4082, `Invalid number of batch place orders.`);
  }
  return list;
}

function parametersOf(row: unknown): Parameters {
  if (typeof row !== 'object' || row === null) throw refuseSpot.invalid('batchOrders');
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
  if (!DEPTHS.includes(limit)) throw refuse.depthLimit(limit);
  return limit;
}

/** @throws BinanceError -1130 for more candles than there are in one answer */
function klineLimit(parameters: Parameters): number {
  const limit = parameters.integer('limit') ?? 500;
  if (limit < 1 || limit > 1_500) throw refuseSpot.invalid('limit');
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
