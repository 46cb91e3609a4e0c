import { recordingsFrom, type VenueRecordings } from './recording.ts';

const recorded = recordingsFrom('recorded', 'static response tests of ccxt');
const seen = recordingsFrom('recorded', 'messages of 2026 that users of the exchange published');
const documented = recordingsFrom('documented', 'documents of USD-M futures, 2026-07-24');
const described = recordingsFrom('documented', 'comments of ccxt; its documents name aggregate trades only');

const ORDER = {
  orderId: 262065925771,
  symbol: 'BTCUSDT',
  status: 'FILLED',
  clientOrderId: 'x-xcKtGhcud2deca88ac9f4ccb9485a9',
  price: '0',
  avgPrice: '47279.40000',
  origQty: '0.010',
  executedQty: '0.010',
  cumQuote: '472.79400',
  timeInForce: 'GTC',
  type: 'MARKET',
  reduceOnly: false,
  closePosition: false,
  side: 'BUY',
  positionSide: 'LONG',
  stopPrice: '0',
  workingType: 'CONTRACT_PRICE',
  priceProtect: false,
  origType: 'MARKET',
  priceMatch: 'NONE',
  selfTradePreventionMode: 'NONE',
  goodTillDate: 0,
  time: 1707550415587,
  updateTime: 1707550415587,
};

/** Responses to new and cancelled orders have neither since 2026-07-15. */
const { time: _, avgPrice: _average, cumQuote: _value, ...ANSWERED } = ORDER;

const ALGO = {
  ...{ algoId: 2146760, clientAlgoId: '6B2I9XVcJpCjqPAJ4YoFX7', algoType: 'CONDITIONAL', orderType: 'STOP_MARKET' },
  ...{ symbol: 'BTCUSDT', side: 'SELL', positionSide: 'BOTH', timeInForce: 'GTC', quantity: '0.01' },
};

const ALGO_END = {
  ...{ triggerPrice: '750.000', price: '0.000', icebergQuantity: null, selfTradePreventionMode: 'EXPIRE_MAKER' },
  ...{ workingType: 'CONTRACT_PRICE', priceMatch: 'NONE', closePosition: false, priceProtect: false },
};

const ALGO_TIMES = { createTime: 1750485492076, triggerTime: 0, goodTillDate: 0, reduceOnly: false };

/** Binance USD-M futures. */
export const BINANCEUSDM_RECORDINGS: VenueRecordings = {
  rest: {
    ...documented({
      'GET /fapi/v1/time': { serverTime: 1499827319559 },
      'GET /fapi/v1/exchangeInfo': {
        timezone: 'UTC',
        serverTime: 1565613908500,
        futuresType: 'U_MARGINED',
        rateLimits: [{ rateLimitType: 'REQUEST_WEIGHT', interval: 'MINUTE', intervalNum: 1, limit: 2400 }],
        exchangeFilters: [],
        assets: [{ asset: 'USDT', marginAvailable: true, autoAssetExchange: '-10000' }],
        symbols: [
          {
            symbol: 'BTCUSDT',
            pair: 'BTCUSDT',
            contractType: 'PERPETUAL',
            deliveryDate: 4133404800000,
            onboardDate: 1569398400000,
            status: 'TRADING',
            maintMarginPercent: '2.5000',
            requiredMarginPercent: '5.0000',
            baseAsset: 'BTC',
            quoteAsset: 'USDT',
            marginAsset: 'USDT',
            pricePrecision: 2,
            quantityPrecision: 3,
            baseAssetPrecision: 8,
            quotePrecision: 8,
            underlyingType: 'COIN',
            underlyingSubType: ['PoW'],
            settlePlan: 0,
            triggerProtect: '0.0500',
            liquidationFee: '0.012500',
            marketTakeBound: '0.05',
            maxMoveOrderLimit: 10000,
            filters: [
              { filterType: 'PRICE_FILTER', maxPrice: '4529764', minPrice: '556.80', tickSize: '0.10' },
              { filterType: 'LOT_SIZE', maxQty: '1000', minQty: '0.001', stepSize: '0.001' },
              { filterType: 'MARKET_LOT_SIZE', maxQty: '120', minQty: '0.001', stepSize: '0.001' },
              { filterType: 'MAX_NUM_ORDERS', limit: 200 },
              { filterType: 'MIN_NOTIONAL', notional: '100' },
              {
                ...{ filterType: 'PERCENT_PRICE', multiplierUp: '1.0500', multiplierDown: '0.9500' },
                multiplierDecimal: '4',
              },
            ],
            orderTypes: ['LIMIT', 'MARKET', 'STOP', 'STOP_MARKET', 'TAKE_PROFIT', 'TAKE_PROFIT_MARKET'],
            timeInForce: ['GTC', 'IOC', 'FOK', 'GTX', 'GTD'],
          },
        ],
      },
      'GET /fapi/v1/klines': [
        [
          ...[1499040000000, '0.01634790', '0.80000000', '0.01575800', '0.01577100', '148976.11427815'],
          ...[1499040059999, '2434.19055334', 308, '1756.87402397', '28.46694368', '17928899.62484339'],
        ],
      ],
      'GET /fapi/v1/ticker/24hr': {
        symbol: 'BTCUSDT',
        priceChange: '-94.99999800',
        priceChangePercent: '-95.960',
        weightedAvgPrice: '0.29628482',
        lastPrice: '4.00000200',
        lastQty: '200.00000000',
        openPrice: '99.00000000',
        highPrice: '100.00000000',
        lowPrice: '0.10000000',
        volume: '8913.30000000',
        quoteVolume: '15.30000000',
        openTime: 1499783499040,
        closeTime: 1499869899040,
        firstId: 28385,
        lastId: 28460,
        count: 76,
      },
      'GET /fapi/v1/ticker/bookTicker': {
        ...{ lastUpdateId: 1027024, symbol: 'BTCUSDT', bidPrice: '4.00000000', bidQty: '431.00000000' },
        ...{ askPrice: '4.00000200', askQty: '9.00000000', time: 1589437530011 },
      },
      'GET /fapi/v1/premiumIndex': [
        {
          ...{ symbol: 'BTCUSDT', markPrice: '11793.63104562', indexPrice: '11781.80495970' },
          ...{ estimatedSettlePrice: '11781.16138815', lastFundingRate: '0.00038246', interestRate: '0.00010000' },
          ...{ nextFundingTime: 1597392000000, time: 1597370495002 },
        },
      ],
      'GET /fapi/v1/fundingRate': [
        {
          ...{ symbol: 'BTCUSDT', fundingRate: '-0.03750000', fundingTime: 1570608000000 },
          ...{ markPrice: '34287.54619963', rateType: 'Regular' },
        },
      ],
      'POST /fapi/v1/order': {
        ...{ clientOrderId: 'testOrder', cumQty: '0', executedQty: '0', orderId: 22542179 },
        ...{ origQty: '10', price: '0', reduceOnly: false, side: 'SELL', positionSide: 'SHORT' },
        ...{ status: 'NEW', stopPrice: '0', closePosition: false, symbol: 'BTCUSDT', timeInForce: 'GTD' },
        ...{ type: 'LIMIT', origType: 'LIMIT', updateTime: 1566818724722, workingType: 'CONTRACT_PRICE' },
        ...{ priceProtect: false, priceMatch: 'NONE', selfTradePreventionMode: 'NONE', goodTillDate: 1693207680000 },
      },
      'DELETE /fapi/v1/order': {
        ...{ ...ANSWERED, clientOrderId: 'myOrder1', cumQty: '0', executedQty: '0', orderId: 283194212 },
        ...{ origQty: '11', status: 'CANCELED', type: 'LIMIT', origType: 'LIMIT' },
        ...{ updateTime: 1571110484038, positionSide: 'SHORT', price: '9300' },
      },
      'GET /fapi/v1/openOrders': [
        {
          ...{ ...ORDER, clientOrderId: 'abc', cumQuote: '0', executedQty: '0', orderId: 1917641, origQty: '0.40' },
          ...{
            avgPrice: '0.00000',
            status: 'NEW',
            type: 'LIMIT',
            origType: 'LIMIT',
            price: '9300',
            timeInForce: 'GTX',
          },
          ...{ time: 1579276756075, updateTime: 1579276756075, positionSide: 'SHORT' },
        },
      ],
      'POST /fapi/v1/algoOrder': {
        ...{ ...ALGO, algoStatus: 'NEW', ...ALGO_END, ...ALGO_TIMES },
        ...{ activatePrice: '', callbackRate: '', updateTime: 1750485492076 },
      },
      'DELETE /fapi/v1/algoOrder': {
        ...{ algoId: 2146760, clientAlgoId: '6B2I9XVcJpCjqPAJ4YoFX7', code: '200', msg: 'success' },
      },
      'GET /fapi/v1/algoOrder': {
        ...{ ...ALGO, algoStatus: 'CANCELED', actualOrderId: '', actualPrice: '0.00000', actualType: 'LIMIT' },
        ...{ actualQty: '0.01', ...ALGO_END, tpOrderType: '', ...ALGO_TIMES, updateTime: 1750514545091 },
      },
      'GET /fapi/v1/openAlgoOrders': [
        {
          ...{ ...ALGO, algoStatus: 'NEW', actualOrderId: '', actualPrice: '0.00000', ...ALGO_END, tpOrderType: '' },
          ...{ tpTriggerPrice: '0.000', tpPrice: '0.000', slTriggerPrice: '0.000', slPrice: '0.000' },
          ...{ ...ALGO_TIMES, updateTime: 1750514941540 },
        },
      ],
      'GET /fapi/v1/userTrades': [
        {
          ...{ buyer: false, commission: '0.07819010', commissionAsset: 'USDT', id: 698759, maker: false },
          ...{ orderId: 262065925771, price: '7819.01', qty: '0.002', quoteQty: '15.63802' },
          ...{ realizedPnl: '-0.91539999', side: 'SELL', positionSide: 'SHORT', symbol: 'BTCUSDT' },
          time: 1569514978020,
        },
      ],
      'GET /fapi/v1/symbolConfig': [
        {
          ...{ symbol: 'BTCUSDT', marginType: 'CROSSED', isAutoAddMargin: false, leverage: 21 },
          maxNotionalValue: '1000000',
        },
      ],
      'GET /fapi/v1/accountConfig': {
        ...{ feeTier: 0, canTrade: true, canDeposit: true, canWithdraw: true, dualSidePosition: true, updateTime: 0 },
        ...{ multiAssetsMargin: false, tradeGroupId: -1 },
      },
      'GET /fapi/v1/leverageBracket': [
        {
          symbol: 'BTCUSDT',
          brackets: [
            {
              ...{ bracket: 1, initialLeverage: 75, notionalCap: 10000, notionalFloor: 0, maintMarginRatio: 0.0065 },
              cum: 0.0,
            },
            {
              ...{ bracket: 2, initialLeverage: 50, notionalCap: 50000, notionalFloor: 10000, maintMarginRatio: 0.01 },
              cum: 35.0,
            },
          ],
        },
      ],
      'POST /fapi/v1/leverage': { leverage: 21, maxNotionalValue: '1000000', symbol: 'BTCUSDT' },
      'POST /fapi/v1/marginType': { code: 200, msg: 'success' },
      'POST /fapi/v1/listenKey': { listenKey: 'pqia91ma19a5s61cv6a81va65sdf19v8a65a1a5s61cv6a81va65sdf19v8a65a1' },
      'GET /fapi/v3/balance': [
        {
          ...{ accountAlias: 'SgsR', asset: 'USDT', balance: '122607.35137903', crossWalletBalance: '23.72469206' },
          ...{ crossUnPnl: '0.00000000', availableBalance: '23.72469206', maxWithdrawAmount: '23.72469206' },
          ...{ marginAvailable: true, updateTime: 1617939110373 },
        },
      ],
      'GET /sapi/v1/account/apiRestrictions': {
        ...{ ipRestrict: true, createTime: 1623840271000, enableReading: true, enableWithdrawals: false },
        ...{ enableInternalTransfer: false, enableMargin: false, enableFutures: true, permitsUniversalTransfer: false },
        ...{ enableVanillaOptions: false, enableFixApiTrade: false, enableFixReadOnly: true },
        ...{ enableSpotAndMarginTrading: false, enablePortfolioMarginTrading: false },
      },
    }),
    ...recorded({
      'GET /fapi/v1/order': ORDER,
      'GET /fapi/v1/allOrders': [ORDER],
      'GET /fapi/v1/income': [
        {
          ...{ symbol: 'BTCUSDT', incomeType: 'FUNDING_FEE', income: '-0.04618913', asset: 'USDT' },
          ...{ time: 1707465600000, info: 'FUNDING_FEE', tranId: 8082457372019390060n, tradeId: '' },
        },
      ],
      'GET /fapi/v3/positionRisk': [
        {
          ...{ symbol: 'BTCUSDT', positionSide: 'BOTH', positionAmt: '0.009', entryPrice: '67445.9' },
          ...{ breakEvenPrice: '67479.62295', markPrice: '67502.68519858', unRealizedProfit: '0.51106678' },
          ...{ liquidationPrice: '64846.98753790', isolatedMargin: '0', notional: '607.52416678' },
          ...{ marginAsset: 'USDT', isolatedWallet: '0', initialMargin: '7.59405208', maintMargin: '2.43009666' },
          ...{ positionInitialMargin: '7.59405208', openOrderInitialMargin: '0', adl: 2, bidNotional: '0' },
          ...{ askNotional: '0', updateTime: 1722161166529 },
        },
      ],
    }),
  },
  streams: {
    ...described({
      trade: {
        ...{ e: 'trade', E: 1579481530912, T: 1579481530910, s: 'BTCUSDT', t: 158410082, p: '7103.04', q: '0.007' },
        ...{ X: 'MARKET', m: false },
      },
    }),
    ...documented({
      bookTicker: {
        ...{ e: 'bookTicker', u: 400900217, E: 1568014460893, T: 1568014460891, s: 'BTCUSDT', b: '25.35190000' },
        ...{ B: '31.21000000', a: '25.36520000', A: '40.66000000' },
      },
      kline: {
        ...{ e: 'kline', E: 1638747660000, s: 'BTCUSDT' },
        k: {
          ...{ t: 1638747660000, T: 1638747719999, s: 'BTCUSDT', i: '1m', f: 100, L: 200, o: '0.0010', c: '0.0020' },
          ...{ h: '0.0025', l: '0.0015', v: '1000', n: 100, x: false, q: '1.0000', V: '500', Q: '0.500', B: '123456' },
        },
      },
      ACCOUNT_CONFIG_UPDATE: {
        ...{ e: 'ACCOUNT_CONFIG_UPDATE', E: 1611646737479, T: 1611646737476, ac: { s: 'BTCUSDT', l: 25 } },
      },
      listenKeyExpired: { e: 'listenKeyExpired', E: 1736996475556, listenKey: 'WsCMN0a4KHUPTQuX6IUnqEZfB1inxmv1' },
    }),
    ...seen({
      ORDER_TRADE_UPDATE: {
        ...{ e: 'ORDER_TRADE_UPDATE', T: 1788231596123, E: 1788231596123 },
        o: {
          ...{ s: 'BTCUSDT', c: 'xNzvN00fwGYcj0DLc9EThL', S: 'SELL', o: 'LIMIT', f: 'GTX', q: '0.473', p: '2463.26' },
          ...{ ap: '0', sp: '0', x: 'NEW', X: 'NEW', i: 81873278124, l: '0', z: '0', L: '0', n: '0', N: 'USDT' },
          ...{ T: 1788231596123, t: 0, b: '0', a: '1166.82229', m: false, R: false, wt: 'CONTRACT_PRICE' },
          ...{ ot: 'LIMIT', ps: 'SHORT', cp: false, rp: '0', pP: false, si: 0, ss: 0, V: 'EXPIRE_MAKER', pm: 'NONE' },
          ...{ gtd: 0, er: '0' },
        },
      },
      ACCOUNT_UPDATE: {
        ...{ e: 'ACCOUNT_UPDATE', T: 1788231624647, E: 1788231624647 },
        a: {
          B: [{ a: 'USDT', wb: '4208.43752587', cw: '4208.43752587', bc: '0' }],
          P: [
            {
              ...{ s: 'BTCUSDT', pa: '0.0007', ep: '77290.7', cr: '-61.78', up: '-0.008', mt: 'cross', iw: '0' },
              ...{ ps: 'BOTH', ma: 'USDT', bep: '77321.61628' },
            },
          ],
          m: 'ORDER',
        },
      },
      ALGO_UPDATE: {
        ...{ e: 'ALGO_UPDATE', T: 1788231624647, E: 1788231624647 },
        o: {
          ...{ caid: 'Q5xaq5EGKgXXa0fD7fs0Ip', aid: 1000000202490585, at: 'CONDITIONAL', o: 'STOP_MARKET' },
          ...{ s: 'BTCUSDT', S: 'SELL', ps: 'BOTH', f: 'GTE_GTC', q: '0', X: 'NEW', ai: '', tp: '74960.75', p: '0' },
          ...{ V: 'EXPIRE_MAKER', wt: 'MARK_PRICE', pm: 'NONE', cp: true, pP: true, R: true, tt: 0, gtd: 0, ia: false },
        },
      },
    }),
  },
};
