import type { Bracket } from '@heron/engine/ledger/brackets.ts';
import { ORDER_LIFETIME_MS, type OrderRequest } from '@heron/engine/live/orderRequest.ts';
import type { OwnIncome } from '@heron/engine/live/report.ts';
import type { Market } from '@heron/engine/market/market.ts';
import { formatUnits } from '@heron/engine/money/units.ts';
import type { Trigger } from '@heron/engine/state/parentOrder.ts';
import { readUsdmError } from '../binance/errorCodes.ts';
import { keyPermissions } from '../binance/keyPermissions.ts';
import { binanceTrades } from '../binance/ownTrades.ts';
import { signBinanceRequest } from '../binance/signRequest.ts';
import { ExchangeRefused } from '../errors.ts';
import type { Params, Row } from '../http/row.ts';
import type { Authentication, Endpoints } from '../http/signedClient.ts';
import type { MarginAccount, TradingExchange } from '../trading.ts';
import { openOrderNames, orderKey } from '../venue/orderIds.ts';
import { venueSymbol } from '../venue/signedCalls.ts';
import { openSignedVenue, type SignedVenueConfig } from '../venue/signedVenue.ts';
import { openBinanceUsdmAccountStream } from './accountStream.ts';
import { bracketsOf, incomeOf, orderOf, positionOf, settingsOf, stopOf, tradeOf, walletOf } from './parseAccount.ts';

const NAME = 'binanceusdm';
/** Longest span of one list of trades. */
const WEEK_MS = 7 * 86_400_000;
const PAGE = 1_000;
/** Margin rules are read again each day. @see docs/margin.md#leverage-brackets */
const DAY_MS = 86_400_000;
const ALL_ORDERS_WEIGHT = 40;

/** Every request that this adapter can send. None of them withdraws, lends or transfers. */
export const BINANCEUSDM_ENDPOINTS: Endpoints = new Map<string, Authentication>([
  ['GET /fapi/v1/time', 'none'],
  ['POST /fapi/v1/order', 'signature'],
  ['DELETE /fapi/v1/order', 'signature'],
  ['GET /fapi/v1/order', 'signature'],
  ['GET /fapi/v1/openOrders', 'signature'],
  ['GET /fapi/v1/allOrders', 'signature'],
  ['POST /fapi/v1/algoOrder', 'signature'],
  ['DELETE /fapi/v1/algoOrder', 'signature'],
  ['GET /fapi/v1/algoOrder', 'signature'],
  ['GET /fapi/v1/openAlgoOrders', 'signature'],
  ['GET /fapi/v1/userTrades', 'signature'],
  ['GET /fapi/v1/income', 'signature'],
  ['GET /fapi/v1/symbolConfig', 'signature'],
  ['GET /fapi/v1/accountConfig', 'signature'],
  ['GET /fapi/v1/leverageBracket', 'signature'],
  ['POST /fapi/v1/leverage', 'signature'],
  ['POST /fapi/v1/marginType', 'signature'],
  ['POST /fapi/v1/listenKey', 'key'],
  ['GET /fapi/v3/balance', 'signature'],
  ['GET /fapi/v3/positionRisk', 'signature'],
  ['GET /sapi/v1/account/apiRestrictions', 'signature'],
]);

/** Settings of the account's owner. Heron reads them and never changes them. */
interface AccountMode {
  /** A long and a short position of one contract can be open at the same time. */
  readonly hedge: boolean;
  /** Other assets are collateral too, so that the liquidation price cannot be computed. */
  readonly multiAssets: boolean;
}

/**
 * Opens trading on the perpetual contracts of Binance USD-M, or on a venue with the same protocol. The account is in
 * one-way mode or hedge mode.
 *
 * @throws TypeError for a private key that is not Ed25519
 * @example
 * const trading = await openBinanceUsdmTrading({ key, net: openExternalNet('binanceusdm', 'binanceusdm', { now: Date.now }), budget: venueBudget('binanceusdm', Date.now), markets, now: Date.now });
 * await trading.margin?.setLeverage('BTC-USDT', 5);
 */
export async function openBinanceUsdmTrading(config: SignedVenueConfig): Promise<TradingExchange> {
  const { now } = config;
  const names = openOrderNames();
  /** Reduce-only orders. */
  const exits = openOrderNames();
  /** Client ids of stops, by the orders that they became. */
  const stops = openOrderNames();
  const remember = (order: string, clientOrderId: string, exit: boolean) => {
    names.set(order, clientOrderId);
    if (exit) exits.set(order, clientOrderId);
  };
  const venue = openSignedVenue(
    {
      ...{ name: NAME, endpoints: BINANCEUSDM_ENDPOINTS, time: 'GET /fapi/v1/time' },
      ...{ sign: signBinanceRequest, readError: readUsdmError },
    },
    config,
  );
  const { client, clock, call, read, readable, loadMarkets, marketOf, marketById } = venue;
  /** As last read; null before the first read, and after a response that shows that the owner has changed it. */
  let mode: AccountMode | null = null;
  let brackets: { at: number; byPair: ReadonlyMap<string, readonly Bracket[]> } | null = null;

  async function readMode(): Promise<AccountMode> {
    const answer = await read(5, (signed) => client.row('GET /fapi/v1/accountConfig', signed));
    mode = {
      hedge: String(answer.dualSidePosition) === 'true',
      multiAssets: String(answer.multiAssetsMargin) === 'true',
    };
    return mode;
  }

  /** Converts the rows of contracts that Heron knows. */
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
    remember(key, order.clientOrderId, order.exit);
    return { ...order, clientOrderId: stops.get(key) ?? order.clientOrderId };
  }

  function listedStop(row: Row) {
    const stop = stopOf(row, marketById);
    if (row.actualOrderId) stops.set(orderKey(row.symbol, row.actualOrderId), stop.clientOrderId);
    return stop;
  }

  /** Reads a stop, or the order that it became. */
  async function stopOrder(symbol: string, clientAlgoId: string) {
    const row = await read(1, (signed) => client.row('GET /fapi/v1/algoOrder', { clientAlgoId, ...signed }));
    const stop = readable(() => listedStop(row));
    if (!row.actualOrderId) return stop;
    const orderId = String(row.actualOrderId);
    const order = await read(1, (signed) => client.row('GET /fapi/v1/order', { symbol, orderId, ...signed }));
    return readable(() => ({ ...listed(order), type: stop.type }));
  }

  const margin: MarginAccount = {
    async positions() {
      const rows = await read(5, (signed) => client.rows('GET /fapi/v3/positionRisk', signed));
      return (await known(rows, positionOf)).filter(({ quantity }) => quantity !== 0);
    },

    async settings() {
      const [rows] = await Promise.all([
        read(5, (signed) => client.rows('GET /fapi/v1/symbolConfig', signed)),
        readMode(),
      ]);
      return known(rows, settingsOf);
    },

    async setLeverage(pair, leverage) {
      const symbol = venueSymbol(await marketOf(pair));
      await call(1, 'order', (venueTime) =>
        client.row('POST /fapi/v1/leverage', { symbol, leverage, timestamp: venueTime(now()) }),
      );
    },

    async setMarginMode(pair, mode) {
      const symbol = venueSymbol(await marketOf(pair));
      const marginType = mode === 'isolated' ? 'ISOLATED' : 'CROSSED';
      try {
        await call(1, 'order', (venueTime) =>
          client.row('POST /fapi/v1/marginType', { symbol, marginType, timestamp: venueTime(now()) }),
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
      const rows = await read(1, (signed) => client.rows('GET /fapi/v1/leverageBracket', signed));
      const byPair = new Map(await known(rows, (row, { pair }) => [pair, bracketsOf(row)] as const));
      brackets = { at: now(), byPair };
      return byPair;
    },

    async incomes(since) {
      await loadMarkets();
      const found = new Map<string, OwnIncome>();
      for (let startTime = since; ; ) {
        const rows = await read(30, (signed) =>
          client.rows('GET /fapi/v1/income', { startTime, limit: PAGE, ...signed }),
        );
        for (const income of readable(() => rows.map((row) => incomeOf(row, marketById)))) {
          if (income !== null) found.set(`${income.type}/${income.id}`, income);
        }
        const newest = Math.max(...rows.map(({ time }) => Number(time)));
        if (rows.length < PAGE) break;
        // Rows of the newest millisecond may be missing: the next page begins with it.
        startTime = newest > startTime ? newest : newest + 1;
      }
      return [...found.values()].sort((a, b) => a.at - b.at);
    },
  };

  return {
    name: NAME,
    time: () => clock.venueTime(now()),

    async place(request, committedAt = performance.now()) {
      const market = await venue.marketOfRequest(request);
      const { hedge, multiAssets } = mode ?? (await readMode());
      if (multiAssets && !request.exit) {
        // The owner may change the mode before the next order.
        mode = null;
        throw new ExchangeRefused(NAME, 'the account is in multi-assets mode, in which nothing is entered');
      }
      try {
        if (request.trigger !== undefined) {
          const row = await call(1, 'order', async (venueTime) =>
            client.row('POST /fapi/v1/algoOrder', {
              ...stopParams(request, request.trigger as Trigger, market, hedge),
              timestamp: venue.orderTimestamp(request, venueTime, committedAt),
            }),
          );
          return { report: readable(() => listedStop(row)), fills: [] };
        }
        const row = await call(1, 'order', async (venueTime) =>
          client.row('POST /fapi/v1/order', {
            ...orderParams(request, market, hedge),
            timestamp: venue.orderTimestamp(request, venueTime, committedAt),
          }),
        );
        return { report: readable(() => listed(row)), fills: [] };
      } catch (error) {
        // The owner has changed the mode of the account.
        if (error instanceof ExchangeRefused && error.message.includes('-4061')) mode = null;
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
      return readable(() => listed(row));
    },

    async order(pair, clientOrderId, kind = 'plain') {
      const symbol = venueSymbol(await marketOf(pair));
      return venue.unlessUnknown(async () => {
        if (kind === 'stop') return stopOrder(symbol, clientOrderId);
        const row = await read(1, (signed) =>
          client.row('GET /fapi/v1/order', { symbol, origClientOrderId: clientOrderId, ...signed }),
        );
        return readable(() => listed(row));
      });
    },

    async openOrders(pairs) {
      const wanted = new Set(pairs);
      // One request for all contracts has the weight of forty requests for one contract.
      const readAll = async (send: (params: Params) => Promise<Row[]>) => {
        if (pairs.length > ALL_ORDERS_WEIGHT) return read(ALL_ORDERS_WEIGHT, send);
        const symbols = await Promise.all(pairs.map(async (pair) => venueSymbol(await marketOf(pair))));
        const lists = symbols.map((symbol) => read(1, (signed) => send({ symbol, ...signed })));
        return (await Promise.all(lists)).flat();
      };
      // Stops are read first: a stop that triggers in between is reported twice, never missed.
      const conditional = await known(
        await readAll((params) => client.rows('GET /fapi/v1/openAlgoOrders', params)),
        listedStop,
      );
      const working = await known(await readAll((params) => client.rows('GET /fapi/v1/openOrders', params)), listed);
      return [...conditional, ...working].filter(({ pair }) => wanted.has(pair));
    },

    async ownTrades(pair, since) {
      const market = await marketOf(pair);
      const symbol = venueSymbol(market);
      const lists = {
        spanMs: WEEK_MS,
        names,
        remember: (row: Row) => readable(() => listed(row)),
        trades: (page: Params) =>
          read(5, (signed) => client.rows('GET /fapi/v1/userTrades', { symbol, ...page, ...signed })),
        orders: (page: Params) =>
          read(5, (signed) => client.rows('GET /fapi/v1/allOrders', { symbol, ...page, ...signed })),
      };
      return binanceTrades(lists, since, clock.venueTime(now()), (row, name) =>
        readable(() => {
          const key = orderKey(row.symbol, row.orderId);
          return tradeOf(row, market, stops.get(key) ?? name, exits.get(key) !== undefined);
        }),
      );
    },

    async balances() {
      const rows = await read(5, (signed) => client.rows('GET /fapi/v3/balance', signed));
      return rows.map(({ asset, balance }) => walletOf(asset, balance));
    },

    margin,

    async account() {
      const [row] = await read(5, (signed) => client.rows('GET /fapi/v3/balance', signed));
      return row?.accountAlias === undefined ? null : String(row.accountAlias);
    },

    async permissions() {
      if (config.net.hosts.permissions.length === 0) {
        // A testnet does not report the permissions of a key; nothing can be withdrawn from it.
        const { canTrade } = await read(5, (signed) => client.row('GET /fapi/v1/accountConfig', signed));
        return { trade: String(canTrade) === 'true', withdraw: false, ipRestricted: null };
      }
      const answer = await read(1, (signed) => client.row('GET /sapi/v1/account/apiRestrictions', signed));
      return keyPermissions(answer, 'enableFutures');
    },

    stream(listener) {
      return openBinanceUsdmAccountStream(
        {
          net: config.net,
          marketById,
          loadMarkets,
          async listenKey() {
            return String((await call(1, 'account', () => client.row('POST /fapi/v1/listenKey', {}))).listenKey);
          },
          remember,
          onTriggered: (order, stop) => stops.set(order, stop),
          stopBehind: (order) => stops.get(order),
        },
        listener,
      );
    },

    async close() {},
  };
}

/** In hedge mode an order names the position's side; in one-way mode it has a reduce-only flag. */
function sideParams({ side, exit }: OrderRequest, hedge: boolean): Params {
  const long = (side === 'buy') !== exit;
  return {
    side: side === 'buy' ? 'BUY' : 'SELL',
    ...(hedge ? { positionSide: long ? 'LONG' : 'SHORT' } : exit ? { reduceOnly: 'true' } : {}),
  };
}

function orderParams(request: OrderRequest, market: Market, hedge: boolean): Params {
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
function stopParams(request: OrderRequest, trigger: Trigger, market: Market, hedge: boolean): Params {
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
