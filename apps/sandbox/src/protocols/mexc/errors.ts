/** An error response of MEXC. */
export class MexcError extends Error {
  /** HTTP status. */
  readonly status: number;
  readonly code: number;
  /** Seconds after which to try again. */
  readonly retryAfter: number | undefined;

  constructor(code: number, message: string, status = 400, retryAfter?: number) {
    super(message);
    this.name = 'MexcError';
    this.code = code;
    this.status = status;
    this.retryAfter = retryAfter;
  }

  get body(): { code: number; msg: string } {
    return { code: this.code, msg: this.message };
  }
}

/** The errors of MEXC, mostly from its table of codes. Some messages have a full-width colon, as MEXC's do. */
export const mexcError = {
  unknown: () => new MexcError(500, 'Internal error', 500),
  unavailable: () => new MexcError(503, 'service not available, please try again', 503),
  path: () => new MexcError(404, 'Not Found', 404),
  tooManyRequests: (retryAfter: number) => new MexcError(429, 'Too Many Requests', 429, retryAfter),
  banned: (retryAfter: number) => new MexcError(429, 'Too Many Requests', 418, retryAfter),
  combination: () => new MexcError(-1128, 'Combination of optional parameters invalid.'),
  marketSymbol: () => new MexcError(-1121, 'Invalid symbol.'),
  interval: () => new MexcError(-1121, 'Invalid interval.'),
  cancel: () => new MexcError(-2011, 'Unknown order sent.'),
  noSuchOrder: () => new MexcError(-2013, 'Order does not exist.'),
  keyRequired: () => new MexcError(400, 'api key required'),
  priceScale: () => new MexcError(400, 'price scale is invalid'),
  quantityScale: () => new MexcError(400, 'quantity scale is invalid'),
  repeated: () => new MexcError(603, 'Repeated request'),
  symbol: () => new MexcError(10007, 'bad symbol'),
  key: () => new MexcError(10072, 'Api key info invalid'),
  amountMissing: () => new MexcError(10095, 'amount cannot be null'),
  amountNotPositive: () => new MexcError(10102, 'amount cannot be zero or negative'),
  suspended: () => new MexcError(30000, 'suspended transaction for the symbol'),
  disabled: () => new MexcError(30016, 'trading disabled'),
  minimum: (value: string) => new MexcError(30002, `The minimum transaction volume cannot be less than：${value}`),
  maximum: (value: string) => new MexcError(30003, `The maximum transaction volume cannot be greater than：${value}`),
  position: () => new MexcError(30004, 'Insufficient position'),
  oversold: () => new MexcError(30005, 'Oversold'),
  noPrice: () => new MexcError(30010, 'no valid trade price'),
  noOpponent: () => new MexcError(30025, 'no exist opponent order'),
  orderIds: () => new MexcError(30026, 'invalid order ids'),
  tooManyOrders: () => new MexcError(30029, 'Cannot exceed the maximum order limit'),
  orderType: () => new MexcError(30041, 'current order type can not place order'),
  priceRange: () => new MexcError(30087, 'Order price exceeds allowed range'),
  parameter: () => new MexcError(33333, 'param is error'),
  listenKey: () => new MexcError(22222, 'record does not exist'),
  listenKeys: () => new MexcError(26, 'operation not allowed'),
  signature: () => new MexcError(700002, 'Signature for this request is not valid.'),
  timestamp: () => new MexcError(700003, 'Timestamp for this request is outside of the recvWindow.'),
  missing: (name: string) =>
    new MexcError(700004, `Mandatory parameter '${name}' was not sent, was empty/null, or malformed.`),
  missingOrder: () =>
    new MexcError(700004, "Param 'origClientOrderId' or 'orderId' must be sent, but both were empty/null!"),
  recvWindow: () => new MexcError(700005, 'recvWindow must less than 60000'),
  illegal: (name: string, range: string) =>
    new MexcError(700008, `Illegal characters found in parameter '${name}'; legal range is '${range}'.`),
};
