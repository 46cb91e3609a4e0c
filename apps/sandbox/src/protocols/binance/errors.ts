/** An error response of Binance. */
export class BinanceError extends Error {
  /** HTTP status. */
  readonly status: number;
  /** Error code of Binance, negative. */
  readonly code: number;
  /** Details beside code and message, for the few errors that have them. */
  readonly data: unknown;
  /** Seconds after which to try again. */
  readonly retryAfter: number | undefined;

  constructor(code: number, message: string, status = 400, extra: { data?: unknown; retryAfter?: number } = {}) {
    super(message);
    this.name = 'BinanceError';
    this.code = code;
    this.status = status;
    this.data = extra.data;
    this.retryAfter = extra.retryAfter;
  }

  get body(): { code: number; msg: string; data?: unknown } {
    return { code: this.code, msg: this.message, ...(this.data !== undefined && { data: this.data }) };
  }
}

export const binanceError = {
  internal: () => new BinanceError(-1001, 'Internal error; unable to process your request. Please try again.', 503),
  unknown: () => new BinanceError(-1000, 'An unknown error occurred while processing the request.', 500),
  tooMuchWeight: (limit: number, retryAfter: number) =>
    new BinanceError(
      -1003,
      `Too much request weight used; current limit is ${limit} request weight per 1 MINUTE. Please use WebSocket Streams for live updates to avoid polling the API.`,
      429,
      { retryAfter },
    ),
  banned: (until: number, retryAfter: number) =>
    new BinanceError(
      -1003,
      `Way too much request weight used; IP banned until ${until}. Please use WebSocket Streams for live updates to avoid bans.`,
      418,
      { retryAfter },
    ),
  tooManyOrders: (limit: number, span: string, retryAfter: number) =>
    new BinanceError(-1015, `Too many new orders; current limit is ${limit} orders per ${span}.`, 429, { retryAfter }),
  filter: (name: string) => new BinanceError(-1013, `Filter failure: ${name}`),
  timestampAhead: () => new BinanceError(-1021, "Timestamp for this request was 1000ms ahead of the server's time."),
  timestampBehind: () => new BinanceError(-1021, 'Timestamp for this request is outside of the recvWindow.'),
  signature: () => new BinanceError(-1022, 'Signature for this request is not valid.'),
  illegal: (name: string, range: string) =>
    new BinanceError(-1100, `Illegal characters found in parameter '${name}'; legal range is '${range}'.`),
  illegalSomewhere: () => new BinanceError(-1100, 'Illegal characters found in a parameter.'),
  tooLarge: () => new BinanceError(-1101, 'Too many parameters sent for this endpoint.', 413),
  duplicate: () => new BinanceError(-1101, 'Duplicate values for a parameter detected.'),
  missing: (name: string) =>
    new BinanceError(-1102, `Mandatory parameter '${name}' was not sent, was empty/null, or malformed.`),
  missingEither: (one: string, other: string) =>
    new BinanceError(-1102, `Param '${one}' or '${other}' must be sent, but both were empty/null!`),
  unread: (read: number, sent: number) =>
    new BinanceError(-1104, `Not all sent parameters were read; read '${read}' parameter(s) but was sent '${sent}'.`),
  empty: (name: string) => new BinanceError(-1105, `Parameter '${name}' was empty.`),
  notRequired: (name: string) => new BinanceError(-1106, `Parameter '${name}' sent when not required.`),
  precision: (name: string) => new BinanceError(-1111, `Parameter '${name}' has too much precision.`),
  timeInForce: () => new BinanceError(-1115, 'Invalid timeInForce.'),
  orderType: () => new BinanceError(-1116, 'Invalid orderType.'),
  side: () => new BinanceError(-1117, 'Invalid side.'),
  interval: () => new BinanceError(-1120, 'Invalid interval.'),
  symbol: () => new BinanceError(-1121, 'Invalid symbol.'),
  longerThanDay: () => new BinanceError(-1127, 'More than 24 hours between startTime and endTime.'),
  combination: () => new BinanceError(-1128, 'Combination of optional parameters invalid.'),
  invalid: (name: string) => new BinanceError(-1130, `Data sent for parameter '${name}' is not valid.`),
  recvWindow: () => new BinanceError(-1131, 'recvWindow must be less than 60000.'),
  repeatedSymbol: () => new BinanceError(-1151, 'Symbol is present multiple times in the list.'),
  newOrder: (message: string) => new BinanceError(-2010, message),
  closed: () => new BinanceError(-1013, 'Market is closed.'),
  amend: (message: string) => new BinanceError(-2038, message),
  cancel: () => new BinanceError(-2011, 'Unknown order sent.'),
  retired: () => new BinanceError(-1016, 'This service is no longer available.', 410),
  wrongClientId: () => new BinanceError(-2039, 'Client order ID is not correct for this order ID.'),
  noSuchOrder: () => new BinanceError(-2013, 'Order does not exist.'),
  keyFormat: () => new BinanceError(-2014, 'API-key format invalid.', 401),
  key: () => new BinanceError(-2015, 'Invalid API-key, IP, or permissions for action.', 401),
  path: (path: string, method: string) => new BinanceError(-5000, `Path ${path}, Method ${method} is invalid`, 404),
};
