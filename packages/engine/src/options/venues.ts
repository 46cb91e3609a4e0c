import { EXCHANGES, type ExchangeEntry, type ExchangeName } from './exchanges.ts';

/**
 * `demo` is the exchange built into Heron, with invented prices. `testnet` is the exchange's own test environment, with
 * play money. `real` is the exchange itself.
 */
export type Environment = 'demo' | 'testnet' | 'real';

/** An exchange in one environment. A bot, a key and every figure belong to one venue for life. */
export interface Venue {
  /** Stable, because it is stored with everything that belongs to the venue. */
  readonly id: string;
  readonly exchange: ExchangeName;
  readonly environment: Environment;
  /** Default port of its worker. */
  readonly port: number;
}

/** Every venue, in the order of lists on screen. */
export const VENUES = [
  { id: 'binance-demo', exchange: 'binance', environment: 'demo', port: 17830 },
  { id: 'binanceusdm-demo', exchange: 'binanceusdm', environment: 'demo', port: 17831 },
  { id: 'mexc-demo', exchange: 'mexc', environment: 'demo', port: 17832 },
  { id: 'binance', exchange: 'binance', environment: 'real', port: 17810 },
  { id: 'binanceusdm', exchange: 'binanceusdm', environment: 'real', port: 17811 },
  { id: 'mexc', exchange: 'mexc', environment: 'real', port: 17812 },
  { id: 'pancakeswap', exchange: 'pancakeswap', environment: 'real', port: 17813 },
  { id: 'uniswap', exchange: 'uniswap', environment: 'real', port: 17814 },
  { id: 'binance-testnet', exchange: 'binance', environment: 'testnet', port: 17850 },
  { id: 'binanceusdm-testnet', exchange: 'binanceusdm', environment: 'testnet', port: 17851 },
] as const satisfies readonly Venue[];

export type VenueId = (typeof VENUES)[number]['id'];

/** Venue of a bot whose options name none. The demo market has neither real prices nor real money. */
export const DEFAULT_VENUE: VenueId = 'binance-demo';

/** Environments in the order of the form. The demo market comes first because it needs no key. */
export const ENVIRONMENT_ORDER = ['demo', 'real', 'testnet'] as const satisfies readonly Environment[];

/** Returns the venue of this id, or undefined for an unknown id. */
export function venueOf(id: string): Venue | undefined {
  return VENUES.find((venue) => venue.id === id);
}

/** Returns whether a text is the id of a venue. */
export function isVenueId(id: string): id is VenueId {
  return venueOf(id) !== undefined;
}

/** Returns the environment of a venue. An unknown one counts as real, so that its money is not mistaken for play money. */
export function environmentOf(id: string): Environment {
  return venueOf(id)?.environment ?? 'real';
}

/** Returns the exchange that a venue belongs to, or undefined for an unknown venue. */
export function exchangeOfVenue(id: string): ExchangeEntry | undefined {
  const exchange = venueOf(id)?.exchange;
  return EXCHANGES.find(({ name }) => name === exchange);
}
