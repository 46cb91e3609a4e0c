import { recordingsFrom, type VenueRecordings } from './recording.ts';

const recorded = recordingsFrom('recorded', 'static response tests of ccxt');
const published = recordingsFrom('recorded', 'tests of Mexc.Net');
const documented = recordingsFrom('documented', 'apidocs of mexcdevelop, 2025-08-08; websocket-proto, 2026-06-17');
const described = recordingsFrom('documented', 'comments of ccxt; not in the documents of MEXC');

const SYMBOL = {
  status: '1',
  baseAssetPrecision: 2,
  quoteAsset: 'USDT',
  quotePrecision: 6,
  quoteAssetPrecision: 6,
  baseCommissionPrecision: 2,
  quoteCommissionPrecision: 6,
  orderTypes: ['LIMIT', 'MARKET', 'LIMIT_MAKER'],
  isSpotTradingAllowed: true,
  isMarginTradingAllowed: false,
  quoteAmountPrecision: '1',
  baseSizePrecision: '0',
  permissions: ['SPOT'],
  filters: [],
  maxQuoteAmount: '2000000',
  makerCommission: '0.0005',
  takerCommission: '0.0005',
  quoteAmountPrecisionMarket: '1',
  maxQuoteAmountMarket: '100000',
  fullName: 'Bitrock',
  tradeSideType: 1,
};

const ORDER = {
  symbol: 'ATLASUSDT',
  orderId: 'C02__385413065019117569043',
  orderListId: -1,
  clientOrderId: null,
  price: '0.004327',
  origQty: '1220',
  executedQty: '1220',
  cummulativeQuoteQty: '5.54124',
  status: 'FILLED',
  timeInForce: null,
  type: 'MARKET',
  side: 'SELL',
  stopPrice: null,
  icebergQty: null,
  time: 1707671871000,
  updateTime: 1707671871000,
  isWorking: true,
  origQuoteOrderQty: '5.27894',
};

const KEY = 'pqia91ma19a5s61cv6a81va65sdf19v8a65a1a5s61cv6a81va65sdf19v8a65a1';

/** MEXC spot. Messages of streams have the names of the official protobuf schema. */
export const MEXC_RECORDINGS: VenueRecordings = {
  rest: {
    ...documented({
      'GET /api/v3/time': { serverTime: 1737623435453 },
      'GET /api/v3/ticker/bookTicker': {
        ...{ symbol: 'ATLASUSDT', bidPrice: '0.004536', bidQty: '12', askPrice: '0.004542', askQty: '1220' },
      },
      'POST /api/v3/order': {
        ...{ symbol: 'ATLASUSDT', orderId: '06a480e69e604477bfb48dddd5f0b750', orderListId: -1, price: '0.1' },
        ...{ origQty: '50', type: 'LIMIT', side: 'BUY', transactTime: 1666676533741 },
      },
      'POST /api/v3/order/test': {},
      'DELETE /api/v3/order': {
        symbol: 'ATLASUSDT',
        origClientOrderId: 'myOrder1',
        orderId: 'C02__4',
        clientOrderId: 'cancelMyOrder1',
        price: '2.00000000',
        origQty: '1.00000000',
        executedQty: '0.00000000',
        cummulativeQuoteQty: '0.00000000',
        status: 'CANCELED',
        timeInForce: 'GTC',
        type: 'LIMIT',
        side: 'BUY',
      },
      'GET /api/v3/openOrders': [
        {
          ...ORDER,
          ...{ clientOrderId: 'myOrder1', price: '0.1', origQty: '1.0', executedQty: '0.0', status: 'NEW' },
          ...{ cummulativeQuoteQty: '0.0', timeInForce: 'GTC', type: 'LIMIT', side: 'BUY', stopPrice: '0.0' },
          ...{ icebergQty: '0.0', time: 1499827319559, updateTime: 1499827319559, origQuoteOrderQty: '0.000000' },
        },
      ],
      'GET /api/v3/account': {
        canTrade: true,
        canWithdraw: true,
        canDeposit: true,
        updateTime: null,
        accountType: 'SPOT',
        balances: [
          { asset: 'NBNTEST', free: '1111078', locked: '33' },
          { asset: 'MAIN', free: '1020000', locked: '0' },
        ],
        permissions: ['SPOT'],
      },
      'POST /api/v3/userDataStream': { listenKey: KEY },
      'GET /api/v3/userDataStream': { listenKey: [KEY] },
      'PUT /api/v3/userDataStream': { listenKey: KEY },
      'DELETE /api/v3/userDataStream': { listenKey: KEY },
    }),
    ...described({ 'GET /api/v3/uid': { uid: '209302839' } }),
    ...published({
      'GET /api/v3/exchangeInfo': {
        timezone: 'CST',
        serverTime: 1737623435453,
        rateLimits: [],
        exchangeFilters: [],
        symbols: ['ATLAS', 'BTC', 'MX'].map((baseAsset) => ({ symbol: `${baseAsset}USDT`, baseAsset, ...SYMBOL })),
      },
    }),
    ...recorded({
      'GET /api/v3/ticker/24hr': {
        symbol: 'BTCUSDT',
        priceChange: '1248.51',
        priceChangePercent: '0.0173',
        prevClosePrice: '72149.26',
        lastPrice: '73397.77',
        bidPrice: '73369.83',
        bidQty: '10.010045',
        askPrice: '73369.84',
        askQty: '6.337532',
        openPrice: '72149.26',
        highPrice: '73639.99',
        lowPrice: '68629.42',
        volume: '7729.258925',
        quoteVolume: '554877037.44',
        openTime: 1710328232149,
        closeTime: 1710328251172,
        count: null,
      },
      'GET /api/v3/klines': [
        [
          ...[1710327600000, '73260.0', '73442.95', '73238.69', '73414.21', '49.560236'],
          ...[1710331200000, '3633995.45'],
        ],
      ],
      'GET /api/v3/order': ORDER,
      'GET /api/v3/myTrades': [
        {
          symbol: 'ATLASUSDT',
          id: 'dd44f79dda764c2e927a190ac5e7a1e5',
          orderId: 'C02__385413065019117569043',
          orderListId: -1,
          price: '0.004542',
          qty: '1220',
          quoteQty: '5.54124',
          commission: '0',
          commissionAsset: 'USDT',
          time: 1707671871000,
          isBuyer: false,
          isMaker: false,
          isBestMatch: true,
          isSelfTrade: false,
          clientOrderId: null,
        },
      ],
    }),
  },
  streams: documented({
    bookTicker: {
      channel: 'spot@public.aggre.bookTicker.v3.api.pb@100ms@BTCUSDT',
      symbol: 'BTCUSDT',
      sendTime: 1736412092433,
      publicAggreBookTicker: {
        ...{ bidPrice: '93387.28', bidQuantity: '3.73485', askPrice: '93387.29', askQuantity: '7.669875' },
      },
    },
    deals: {
      channel: 'spot@public.aggre.deals.v3.api.pb@100ms@BTCUSDT',
      symbol: 'BTCUSDT',
      sendTime: 1736409765052,
      publicAggreDeals: {
        deals: [{ price: '93220.00', quantity: '0.04438243', tradeType: 2, time: 1736409765051 }],
        eventType: 'spot@public.aggre.deals.v3.api.pb@100ms',
      },
    },
    kline: {
      channel: 'spot@public.kline.v3.api.pb@BTCUSDT@Min15',
      symbol: 'BTCUSDT',
      symbolId: '2fb942154ef44a4ab2ef98c8afb6a4a7',
      createTime: 1736410707571,
      publicSpotKline: {
        ...{ interval: 'Min15', windowStart: 1736410500, openingPrice: '92925', closingPrice: '93158.47' },
        ...{ highestPrice: '93158.47', lowestPrice: '92800', volume: '36.83803224', amount: '3424811.05' },
        windowEnd: 1736411400,
      },
    },
    account: {
      channel: 'spot@private.account.v3.api.pb',
      createTime: 1736417034305,
      sendTime: 1736417034307,
      privateAccount: {
        ...{ vcoinName: 'USDT', coinId: '128f589271cb4951b03e71e6323eb7be', balanceAmount: '21.94210356004384' },
        ...{ balanceAmountChange: '10', frozenAmount: '0', frozenAmountChange: '0', type: 'CONTRACT_TRANSFER' },
        time: 1736416910000,
      },
    },
    deal: {
      channel: 'spot@private.deals.v3.api.pb',
      symbol: 'MXUSDT',
      sendTime: 1736417034332,
      privateDeals: {
        ...{ price: '3.6962', quantity: '1', amount: '3.6962', tradeType: 2, tradeId: '505979017439002624X1' },
        ...{ orderId: 'C02__505979017439002624115', feeAmount: '0.0003998377369698171', feeCurrency: 'MX' },
        time: 1736417034280,
      },
    },
    order: {
      channel: 'spot@private.orders.v3.api.pb',
      symbol: 'MXUSDT',
      sendTime: 1736417034281,
      privateOrders: {
        ...{ id: 'C02__505979017439002624115', price: '3.5121', quantity: '1', amount: '0', avgPrice: '3.6962' },
        ...{ orderType: 5, tradeType: 2, remainAmount: '0', remainQuantity: '0', lastDealQuantity: '1' },
        ...{ cumulativeQuantity: '1', cumulativeAmount: '3.6962', status: 2, createTime: 1736417034259 },
      },
    },
  }),
};
