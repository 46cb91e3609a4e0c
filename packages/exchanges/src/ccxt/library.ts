import type { WebSocket } from 'ws';
import type { RestAnswer, RestRequest } from '../net/sendRequest.ts';
import type { SocketOptions } from '../net/venueNet.ts';

/**
 * The parts of ccxt that we use, by deep import: a third of the start-up time and memory of the whole package, whose
 * `exports` would not let us have them by name.
 */

/** A pair in ccxt's words; precision is the size of one step. */
export interface CcxtMarket {
  id: string;
  symbol: string;
  base: string;
  quote: string;
  spot: boolean;
  /** a perpetual contract */
  swap?: boolean;
  /** settled in the quote currency */
  linear?: boolean;
  contractSize?: number;
  active?: boolean;
  precision: { price?: number; amount?: number };
  limits: { amount?: { min?: number; max?: number }; cost?: { min?: number } };
  /** The venue's own row. */
  info: Readonly<Record<string, unknown>>;
}

export interface CcxtTicker {
  symbol: string;
  last?: number;
  bid?: number;
  bidVolume?: number;
  ask?: number;
  askVolume?: number;
  percentage?: number;
  quoteVolume?: number;
}

/** `[open time, open, high, low, close, volume]` */
export type CcxtCandle = [number, number, number, number, number, number];

/** What a perpetual contract pays next; the rate is a fraction. */
export interface CcxtFundingRate {
  symbol: string;
  markPrice?: number;
  indexPrice?: number;
  fundingRate?: number;
  fundingTimestamp?: number;
}

/** What one paid. `info` is the venue's own row. */
export interface CcxtPastFunding {
  timestamp?: number;
  fundingRate?: number;
  info: { markPrice?: string };
}

/** A WebSocket of ccxt. */
export interface CcxtClient {
  /** By which ccxt finds the client; read when it dials. */
  url: string;
  error?: unknown;
  /** Requests to subscribe that have been made, by name. */
  subscriptions: Record<string, unknown>;
  /** Of the library `ws`. */
  options: SocketOptions;
  /** Made by `createConnection`. */
  connection: WebSocket;
  /** Dials `url` with `options`. */
  createConnection(): void;
  send(message: unknown): Promise<unknown>;
  /** Ends the wait for messages of that name. */
  reject(error: Error, name: string): unknown;
  close(): unknown;
}

export interface SignedRequest {
  url: string;
  method: string;
  body?: string;
  headers?: Record<string, string>;
}

export type FetchLike = (url: string, init: RestRequest) => Promise<RestAnswer>;

/** An exchange object of ccxt, as far as we touch it. */
export interface CcxtExchange {
  urls: { api: { ws: { spot: string; future: string } } };
  /** What `defineRestApi` makes its endpoint methods from. */
  api: Record<string, unknown>;
  fetchImplementation: FetchLike;
  markets?: Record<string, CcxtMarket>;
  clients: Record<string, CcxtClient>;
  loadMarkets(reload?: boolean): Promise<Record<string, CcxtMarket>>;
  loadHttpProxyAgent(): Promise<unknown>;
  fetchTime(): Promise<number>;
  fetchTicker(symbol: string): Promise<CcxtTicker>;
  fetchTickers(symbols?: string[]): Promise<Record<string, CcxtTicker>>;
  fetchOHLCV(
    symbol: string,
    timeframe: string,
    since: number,
    limit: number,
    params: { until?: number },
  ): Promise<CcxtCandle[]>;
  fetchFundingRates(symbols?: string[]): Promise<Record<string, CcxtFundingRate>>;
  fetchFundingRateHistory(
    symbol: string,
    since: number,
    limit: number,
    params: { until?: number },
  ): Promise<CcxtPastFunding[]>;
  watchBidsAsks(symbols: string[]): Promise<unknown>;
  unWatchBidsAsks(symbols: string[]): Promise<unknown>;
  watchTradesForSymbols(symbols: string[]): Promise<unknown>;
  unWatchTradesForSymbols(symbols: string[]): Promise<unknown>;
  watchOHLCVForSymbols(symbols: [string, string][]): Promise<unknown>;
  unWatchOHLCVForSymbols(symbols: [string, string][]): Promise<unknown>;
  /** MEXC's own: asks for one channel; what it waits for bears the second name. */
  watchSpotPublic(channel: string, name: string): Promise<unknown>;
  close(): Promise<unknown>;
  // Overridden by our subclass.
  sign(
    path: string,
    api?: string | readonly string[],
    method?: string,
    params?: object,
    headers?: Record<string, string>,
    body?: string,
  ): SignedRequest;
  signParams(params?: object): object;
  /** Time that a request is signed with, ms. */
  nonce(): number;
  hmac(...inputs: unknown[]): unknown;
  client(url: string): CcxtClient;
  stream(type: string, hash: string, count?: number): string;
  onConnected(client: CcxtClient, message?: unknown): void;
  onError(client: CcxtClient, error: unknown): void;
  onClose(client: CcxtClient, error: unknown): void;
  handleMessage(client: CcxtClient, message: unknown): void;
  handleBidsAsks(client: CcxtClient, message: unknown): void;
  handleTrade(client: CcxtClient, message: unknown): void;
  handleOHLCV(client: CcxtClient, message: unknown): void;
  /** MEXC's own. */
  fetchSwapMarkets(params?: object): Promise<CcxtMarket[]>;
  handleProtobufMessage(client: CcxtClient, message: unknown): boolean;
  handleSubscriptionStatus(client: CcxtClient, message: unknown): void;
}

export type CcxtClass = new (config: object) => CcxtExchange;

/** ccxt's error classes that decide what may be done next. */
export interface CcxtErrors {
  BaseError: ErrorClass;
  NetworkError: ErrorClass;
  OperationFailed: ErrorClass;
  RateLimitExceeded: ErrorClass;
  DDoSProtection: ErrorClass;
  BadSymbol: ErrorClass;
  NotSupported: ErrorClass;
  ArgumentsRequired: ErrorClass;
  InvalidNonce: ErrorClass;
  DuplicateOrderId: ErrorClass;
  OrderImmediatelyFillable: ErrorClass;
  InsufficientFunds: ErrorClass;
  OrderNotFound: ErrorClass;
  AuthenticationError: ErrorClass;
  UnsubscribeError: ErrorClass;
  ExchangeClosedByUser: ErrorClass;
}

type ErrorClass = new (message?: string) => Error;

const SOURCE = new URL('./src/', import.meta.resolve('ccxt'));

/** Binance spot with its streams. */
export async function loadBinance(): Promise<CcxtClass> {
  const module = (await import(new URL('pro/binance.js', SOURCE).href)) as { default: CcxtClass };
  return module.default;
}

/** Binance USD-M futures with its streams. */
export async function loadBinanceUsdm(): Promise<CcxtClass> {
  const module = (await import(new URL('pro/binanceusdm.js', SOURCE).href)) as { default: CcxtClass };
  return module.default;
}

/** MEXC with its streams. */
export async function loadMexc(): Promise<CcxtClass> {
  const module = (await import(new URL('pro/mexc.js', SOURCE).href)) as { default: CcxtClass };
  return module.default;
}

/** Decodes a push of MEXC's streams; whole numbers of 64 bits become texts. */
export type MexcDecoder = (bytes: Uint8Array) => Record<string, unknown>;

export async function loadMexcDecoder(): Promise<MexcDecoder> {
  const { default: messages } = (await import(new URL('protobuf/mexc/compiled.cjs', SOURCE).href)) as {
    default: { PushDataV3ApiWrapper: { decode(bytes: Uint8Array): { toJSON(): Record<string, unknown> } } };
  };
  return (bytes) => messages.PushDataV3ApiWrapper.decode(bytes).toJSON();
}

export async function loadErrors(): Promise<CcxtErrors> {
  return (await import(new URL('base/errors.js', SOURCE).href)) as CcxtErrors;
}
