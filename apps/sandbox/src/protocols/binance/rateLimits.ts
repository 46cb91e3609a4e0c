import { binanceError } from './errors.ts';

const MINUTE_MS = 60_000;

/** The limits of exchangeInfo. */
export const RATE_LIMITS = [
  { rateLimitType: 'REQUEST_WEIGHT', interval: 'MINUTE', intervalNum: 1, limit: 6000 },
  { rateLimitType: 'ORDERS', interval: 'SECOND', intervalNum: 10, limit: 100 },
  { rateLimitType: 'ORDERS', interval: 'DAY', intervalNum: 1, limit: 200_000 },
  { rateLimitType: 'RAW_REQUESTS', interval: 'MINUTE', intervalNum: 5, limit: 300_000 },
] as const;

const [WEIGHT, TEN_SECONDS, DAY, RAW] = RATE_LIMITS;

/** Counts in fixed windows, as Binance does: a window begins at a whole multiple of its length. */
export class Window {
  readonly length: number;
  #start = 0;
  #count = 0;

  constructor(lengthMs: number) {
    this.length = lengthMs;
  }

  count(now: number): number {
    if (now - this.#start >= this.length || now < this.#start) {
      this.#start = Math.floor(now / this.length) * this.length;
      this.#count = 0;
    }
    return this.#count;
  }

  add(now: number, amount: number): void {
    this.#count = this.count(now) + amount;
  }

  /** Returns the seconds until the window ends. */
  left(now: number): number {
    return Math.max(1, Math.ceil((this.#start + this.length - now) / 1000));
  }
}

/** After this many rejections in a window the address is banned: for two minutes, then twice as long each time. */
const REJECTIONS_TO_BAN = 100;
const FIRST_BAN_MS = 120_000;
const MAX_BAN_MS = 3 * 86_400_000;

/** The usage of all clients of the sandbox. They share one address and one account. */
export class RateLimits {
  readonly #weight = new Window(MINUTE_MS);
  readonly #raw = new Window(5 * MINUTE_MS);
  readonly #tenSeconds = new Window(10_000);
  readonly #day = new Window(1440 * MINUTE_MS);

  readonly #rejected = new Window(MINUTE_MS);
  #bannedUntil = 0;
  #bans = 0;

  /** Counts a request. @throws BinanceError -1003 with status 429, or 418 when the client goes on */
  request(now: number, weight: number): void {
    if (now < this.#bannedUntil) {
      throw binanceError.banned(this.#bannedUntil, Math.ceil((this.#bannedUntil - now) / 1000));
    }
    this.#raw.add(now, 1);
    this.#weight.add(now, weight);
    const over = this.#raw.count(now) > RAW.limit ? RAW : this.#weight.count(now) > WEIGHT.limit ? WEIGHT : undefined;
    if (over === undefined) return;
    this.#rejected.add(now, 1);
    if (this.#rejected.count(now) > REJECTIONS_TO_BAN) {
      this.#bannedUntil = now + Math.min(MAX_BAN_MS, FIRST_BAN_MS * 2 ** this.#bans);
      this.#bans++;
    }
    throw binanceError.tooMuchWeight(over.limit, (over === RAW ? this.#raw : this.#weight).left(now));
  }

  /** Subtracts the weight of a successful request that weighs nothing. */
  refund(now: number, weight: number): void {
    this.#weight.add(now, -Math.min(weight, this.#weight.count(now)));
  }

  /** Counts an order. @throws BinanceError -1015 with status 429 */
  order(now: number): void {
    if (this.#tenSeconds.count(now) >= TEN_SECONDS.limit) {
      throw binanceError.tooManyOrders(TEN_SECONDS.limit, '10 SECOND', this.#tenSeconds.left(now));
    }
    if (this.#day.count(now) >= DAY.limit) throw binanceError.tooManyOrders(DAY.limit, '1 DAY', this.#day.left(now));
    this.#tenSeconds.add(now, 1);
    this.#day.add(now, 1);
  }

  headers(now: number, isOrder: boolean): { [name: string]: string } {
    const weight = String(this.#weight.count(now));
    return {
      'x-mbx-used-weight': weight,
      'x-mbx-used-weight-1m': weight,
      ...(isOrder && {
        'x-mbx-order-count-10s': String(this.#tenSeconds.count(now)),
        'x-mbx-order-count-1d': String(this.#day.count(now)),
      }),
    };
  }

  /** Returns the response of GET /api/v3/rateLimit/order. */
  orderReport(now: number): object[] {
    return [
      { ...TEN_SECONDS, count: this.#tenSeconds.count(now) },
      { ...DAY, count: this.#day.count(now) },
    ];
  }

  /** Returns the limits for responses of the WebSocket API. */
  report(now: number): object[] {
    return [{ ...WEIGHT, count: this.#weight.count(now) }];
  }
}
