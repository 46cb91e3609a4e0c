import { BINANCE, BINANCEUSDM, MEXC, type TradedVenue } from '../system/venues.ts';

/** An exchange protocol under test. */
export interface Venue {
  readonly exchange: 'binance' | 'binanceusdm' | 'mexc';
  readonly traded: TradedVenue;
  /** Options of its bots in addition to the common ones. */
  readonly options: Readonly<Record<string, unknown>>;
  /** Contains the paths of requests that place orders. */
  readonly orderPaths: readonly string[];
  /** Patterns of the fault script for orders, cancels, queries, account events and the account stream. */
  readonly subjects: {
    readonly order: string;
    readonly cancel: string;
    readonly query: string;
    readonly event: string;
    readonly stream: string;
    readonly quote: string;
  };
  /** Responses for an unknown outcome and for too many requests. */
  readonly responses: {
    readonly unknownOutcome: { readonly status: number; readonly code: number };
    readonly tooManyRequests: number;
  };
  /** Returns the client order ID of a request that places an order. */
  clientOrderId(params: URLSearchParams): string;
}

/** Patterns of requests that Binance and MEXC share on spot. */
const SPOT_SUBJECTS = {
  order: 'POST /api/v3/order',
  cancel: 'DELETE /api/v3/order',
  query: 'GET /api/v3/*',
} as const;

/** All protocols on which bots trade live. */
export const VENUES: readonly Venue[] = [
  {
    exchange: 'binance',
    traded: BINANCE,
    options: {},
    orderPaths: ['/api/v3/order'],
    subjects: {
      ...SPOT_SUBJECTS,
      event: 'EVENT user *',
      stream: 'CONNECT /ws-api*',
      quote: 'EVENT *@bookTicker',
    },
    responses: { unknownOutcome: { status: 408, code: -1007 }, tooManyRequests: -1003 },
    clientOrderId: (params) => params.get('newClientOrderId') ?? '',
  },
  {
    exchange: 'binanceusdm',
    traded: BINANCEUSDM,
    // A futures account snapshot has a high request weight: three bots at the default interval would exceed the limit.
    options: { market: 'both', leverage: 3, margin_mode: 'isolated', sync_trade_time: 20_000 },
    orderPaths: ['/fapi/v1/order', '/fapi/v1/algoOrder'],
    // Stops are algo orders, with a separate path.
    subjects: {
      order: 'POST /fapi/v1/*rder',
      cancel: 'DELETE /fapi/v1/*rder',
      query: 'GET /fapi/*',
      event: 'EVENT user *',
      stream: 'CONNECT /private/*',
      quote: 'EVENT *@bookTicker',
    },
    responses: { unknownOutcome: { status: 408, code: -1007 }, tooManyRequests: -1003 },
    clientOrderId: (params) => params.get('newClientOrderId') ?? params.get('clientAlgoId') ?? '',
  },
  {
    exchange: 'mexc',
    traded: MEXC,
    options: {},
    orderPaths: ['/api/v3/order'],
    subjects: {
      ...SPOT_SUBJECTS,
      event: 'EVENT spot@private.*',
      stream: 'CONNECT /ws*',
      quote: 'EVENT spot@public.aggre.bookTicker*',
    },
    responses: { unknownOutcome: { status: 500, code: 500 }, tooManyRequests: 429 },
    clientOrderId: (params) => params.get('newClientOrderId') ?? '',
  },
];
