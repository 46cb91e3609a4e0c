import { BINANCE, MEXC, type TradedVenue } from '../system/venues.ts';

/** A protocol under attack. */
export interface Venue {
  readonly exchange: 'binance' | 'mexc';
  readonly traded: TradedVenue;
  /** Path of a new order. */
  readonly orderPath: string;
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
    orderPath: '/api/v3/order',
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
    exchange: 'mexc',
    traded: MEXC,
    orderPath: '/api/v3/order',
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
