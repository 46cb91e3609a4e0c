import type { ExecutionEvent, LiveRequest } from '@heron/engine/live/executionEvent.ts';
import type { SizedOrderRequest } from '@heron/engine/live/orderRequest.ts';
import type { OwnFill } from '@heron/engine/live/report.ts';
import { ExchangeError, ExchangeRefused } from '@heron/exchanges/errors.ts';
import type { TradingExchange } from '@heron/exchanges/trading.ts';
import type { Logger } from '../log.ts';
import type { ContractSetup } from './contractSetup.ts';

/** Dependencies for sending the requests of one bot. */
export interface OrderSenderDeps {
  readonly log: Logger;
  readonly setup: ContractSetup;
  now(): number;
  /** Returns a fill with its fee converted to quote units. */
  withFeeInQuote(fill: OwnFill): Promise<OwnFill>;
  /** Is called when an order was accepted, which proves that the key works. */
  onAccepted(): void;
  /** Is called when a request failed, before its outcome is returned. */
  onFailed(error: unknown): void;
  /** Is called when an exit was refused: the owner may have sold or withdrawn the coins. */
  onExitRefused(): void;
}

/** Sends a request of a bot to the exchange. @returns its outcome; null when the engine will repeat the request */
export type SendRequest = (trading: TradingExchange, request: LiveRequest) => Promise<ExecutionEvent | null>;

type RequestOf<Type extends LiveRequest['type']> = Extract<LiveRequest, { type: Type }>;

export function createOrderSender(deps: OrderSenderDeps): SendRequest {
  const { log, setup, now, withFeeInQuote } = deps;

  async function place(trading: TradingExchange, request: SizedOrderRequest): Promise<ExecutionEvent> {
    const { clientOrderId } = request;
    const committedAt = performance.now();
    try {
      await setup.prepare(trading, request);
    } catch (error) {
      log.warn({ err: error, clientOrderId }, 'a contract could not be set up for an order, which was not sent');
      deps.onFailed(error);
      const why = error instanceof ExchangeError ? error.message : 'the contract could not be set up';
      return { type: 'rejected', at: now(), clientOrderId, how: 'rejected', why };
    }
    try {
      const { report, fills } = await trading.place(request, committedAt);
      deps.onAccepted();
      const valued = await Promise.all(fills.map(withFeeInQuote));
      return { type: 'accepted', at: now(), clientOrderId, report, fills: valued };
    } catch (error) {
      log.warn({ err: error, clientOrderId }, 'an order was rejected, or its outcome is unknown');
      deps.onFailed(error);
      if (error instanceof ExchangeRefused && request.exit) deps.onExitRefused();
      if (!(error instanceof ExchangeError) || error.kind === 'unknown_outcome') {
        return { type: 'outcome_unknown', at: now(), clientOrderId };
      }
      const crossed = error instanceof ExchangeRefused && error.about === 'would_take';
      const how = crossed ? 'post_only_rejected' : 'rejected';
      return { type: 'rejected', at: now(), clientOrderId, how, why: error.message };
    }
  }

  async function cancel(trading: TradingExchange, request: RequestOf<'cancel'>): Promise<ExecutionEvent> {
    const { pair, clientOrderId, kind } = request;
    try {
      const report = await trading.cancel(pair, clientOrderId, kind);
      if (report !== null) return { type: 'order_report', at: now(), report };
    } catch (error) {
      log.info({ err: error, clientOrderId }, 'a cancel was rejected, or its outcome is unknown');
      deps.onFailed(error);
    }
    // The outcome depends on the status of the order, so the engine queries it.
    return { type: 'outcome_unknown', at: now(), clientOrderId };
  }

  async function queryStatus(
    trading: TradingExchange,
    request: RequestOf<'query_order'>,
  ): Promise<ExecutionEvent | null> {
    const { pair, clientOrderId, kind } = request;
    const askedAt = now();
    // Without a response the engine repeats the query after a moment.
    const report = await trading
      .order(pair, clientOrderId, kind)
      .catch(logged('the status of an order could not be read'));
    if (report === undefined) return null;
    return report === null
      ? { type: 'not_found', at: now(), clientOrderId, askedAt }
      : { type: 'order_status', at: now(), report };
  }

  async function readFills(
    trading: TradingExchange,
    request: RequestOf<'query_fills'>,
  ): Promise<ExecutionEvent | null> {
    const fills = await trading.ownTrades(request.pair, request.since).catch(logged('fills could not be read'));
    if (fills === undefined) return null;
    return { type: 'fills', at: now(), fills: await Promise.all(fills.map(withFeeInQuote)) };
  }

  const logged = (what: string) => (error: unknown) => {
    log.warn({ err: error }, what);
    return undefined;
  };

  return async (trading, request) => {
    switch (request.type) {
      case 'place':
        return place(trading, request.order);
      case 'cancel':
        return cancel(trading, request);
      case 'query_order':
        return queryStatus(trading, request);
      case 'query_fills':
        return readFills(trading, request);
    }
  };
}
