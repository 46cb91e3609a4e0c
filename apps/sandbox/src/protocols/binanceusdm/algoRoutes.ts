import type { FuturesAccount } from '../../accounts/futures/futuresAccount.ts';
import type { AlgoOrder } from '../../accounts/futures/futuresOrders.ts';
import { binanceError } from '../binance/errors.ts';
import type { Parameters } from '../binance/parameters.ts';
import { translate } from './errors.ts';
import { algoRow, openAlgoRow, placedAlgoRow } from './orderRows.ts';
import { readAlgo, wantsResult } from './readOrder.ts';
import type { Route } from './route.ts';
import { chosenMarkets, isWithin, oneMarket, page, weekOf } from './routeParameters.ts';

export const ALGO_ROUTES: readonly Route[] = [
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
        if (algo.symbol === symbol && exchange.account.pendingAlgos.has(algo.id)) exchange.cancelAlgo(() => algo, now);
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
        (algo) => algo.symbol === symbol && (from === undefined || algo.id >= from) && isWithin(algo.time, start, end),
      );
      return page(context.parameters, rows, from !== undefined || start !== undefined).map((algo) =>
        algoRow(account, algo),
      );
    },
  },
];

/** Returns a search for the conditional order of `algoId` or `clientAlgoId`. */
function findAlgo(parameters: Parameters): (account: FuturesAccount) => AlgoOrder | undefined {
  const id = parameters.integer('algoId');
  const clientId = parameters.text('clientAlgoId');
  if (id !== undefined) return (account) => account.algo(id);
  if (clientId !== undefined) return (account) => account.algoByClientId(clientId);
  throw binanceError.missingEither('clientAlgoId', 'algoId');
}
