import { BINANCE, BINANCEUSDM, MEXC, type TradedVenue } from '../system/venues.ts';

/** A protocol under attack. */
export interface Venue {
  readonly exchange: 'binance' | 'binanceusdm' | 'mexc';
  readonly traded: TradedVenue;
  /** What its bots are set to beside what all are. */
  readonly options: Readonly<Record<string, unknown>>;
  /** Paths of new orders. */
  readonly orderPaths: readonly string[];
  /** What the fault script calls an order, its cancel, a question, and the account's events and stream. */
  readonly subjects: {
    readonly order: string;
    readonly cancel: string;
    readonly question: string;
    readonly event: string;
    readonly stream: string;
    readonly quote: string;
  };
  /** How it says that nobody knows what was done, and that there were too many requests. */
  readonly answers: {
    readonly unsure: { readonly status: number; readonly code: number };
    readonly tooMany: number;
  };
  /** The client id in a request for a new order. */
  clientOrderId(params: URLSearchParams): string;
}

/** Every protocol that bots trade live on. */
export const VENUES: readonly Venue[] = [
  {
    exchange: 'binance',
    traded: BINANCE,
    options: {},
    orderPaths: ['/api/v3/order'],
    subjects: {
      order: 'POST /api/v3/order',
      cancel: 'DELETE /api/v3/order',
      question: 'GET /api/v3/*',
      event: 'EVENT user *',
      stream: 'CONNECT /ws-api*',
      quote: 'EVENT *@bookTicker',
    },
    answers: { unsure: { status: 408, code: -1007 }, tooMany: -1003 },
    clientOrderId: (params) => params.get('newClientOrderId') ?? '',
  },
  {
    exchange: 'binanceusdm',
    traded: BINANCEUSDM,
    // A look at an account of futures weighs so much that three bots every few seconds are more than the exchange allows.
    options: { market: 'both', leverage: 3, margin_mode: 'isolated', sync_trade_time: 20_000 },
    orderPaths: ['/fapi/v1/order', '/fapi/v1/algoOrder'],
    // Stops are algo orders.
    subjects: {
      order: 'POST /fapi/v1/*rder',
      cancel: 'DELETE /fapi/v1/*rder',
      question: 'GET /fapi/*',
      event: 'EVENT user *',
      stream: 'CONNECT /private/*',
      quote: 'EVENT *@bookTicker',
    },
    answers: { unsure: { status: 408, code: -1007 }, tooMany: -1003 },
    clientOrderId: (params) => params.get('newClientOrderId') ?? params.get('clientAlgoId') ?? '',
  },
  {
    exchange: 'mexc',
    traded: MEXC,
    options: {},
    orderPaths: ['/api/v3/order'],
    subjects: {
      order: 'POST /api/v3/order',
      cancel: 'DELETE /api/v3/order',
      question: 'GET /api/v3/*',
      event: 'EVENT spot@private.*',
      stream: 'CONNECT /ws*',
      quote: 'EVENT spot@public.aggre.bookTicker*',
    },
    answers: { unsure: { status: 500, code: 500 }, tooMany: 429 },
    clientOrderId: (params) => params.get('newClientOrderId') ?? '',
  },
];
