import type { Market } from '@heron/engine/market/market.ts';
import { ExchangeRefused } from '../errors.ts';
import type { RateBudget } from '../http/rateBudget.ts';
import type { Row } from '../http/row.ts';
import { signText } from '../http/signer.ts';
import { pauseOfMessage } from '../net/pause.ts';
import type { VenueNet } from '../net/venueNet.ts';
import type { AccountEvent, AccountStream, ApiKey } from '../trading.ts';
import { type AccountConnection, openAccountConnection } from '../venue/accountConnection.ts';
import type { OrderNames } from '../venue/orderIds.ts';
import { readBinanceError } from './errorCodes.ts';
import { balancesOf, executionOf } from './parseAccount.ts';
import { isShutdown } from './parseMarket.ts';

/** Dependencies of {@link openBinanceAccountStream}. */
export interface AccountStreamDeps {
  readonly net: VenueNet;
  readonly key: ApiKey;
  readonly names: OrderNames;
  readonly budget: RateBudget;
  marketById(id: string): Market | undefined;
  /** ms since 1970. */
  now(): number;
  /** Returns the venue's time, ms, after the pairs and the clock are loaded. */
  venueTime(): Promise<number>;
  /** Is called when the venue refused the time of a subscription, so that the clock is measured again. */
  onWrongTime(): void;
}

/** Streams the account's events over Binance's WebSocket API, subscribed with a signature. */
export function openBinanceAccountStream(
  config: AccountStreamDeps,
  listener: (event: AccountEvent) => void,
): AccountStream {
  /**
   * The subscription that each open connection waits for. A wait for the rate budget may outlast the connection. A socket
   * reuses its `AccountConnection` after a reconnect, so the symbol distinguishes old waits from new ones.
   */
  const pending = new Map<AccountConnection, symbol>();

  return openAccountConnection(
    {
      exchange: 'binance',
      net: config.net,
      ping: { id: 'ping', method: 'ping', params: {} },
      address: async () => config.net.hosts.account[0] ?? '',
      onOpen(connection) {
        const subscription = Symbol('subscription');
        pending.set(connection, subscription);
        void subscribe(connection, () => pending.get(connection) === subscription);
      },
      onMessage(data, connection) {
        const message = read(data);
        if (message === null) return;
        readLimits(message);
        if (message.id === 'subscribe') {
          onSubscribed(message, connection);
          return;
        }
        const event = message.event as Row | undefined;
        if (event === undefined) return;
        if (isShutdown(event)) connection.replaceConnection();
        onUserEvent(event, connection);
        // The venue ends a subscription, for example when the key was deleted.
        if (event.e === 'eventStreamTerminated') connection.end('the venue ended the stream');
      },
      onClose: (connection) => void pending.delete(connection),
      async onStreamClosed() {},
    },
    listener,
  );

  /** Subscribes a connection. The budget may delay it for a minute, so that the time is read after that. */
  async function subscribe(connection: AccountConnection, isWanted: () => boolean): Promise<void> {
    try {
      await config.budget.acquire(2, 'account');
      const timestamp = await config.venueTime();
      if (!isWanted()) return;
      const params = signed(config.key, timestamp);
      connection.send({ id: 'subscribe', method: 'userDataStream.subscribe.signature', params });
    } catch (error) {
      if (isWanted()) connection.end('it could not be subscribed', error);
    }
  }

  function onSubscribed({ status, error }: Row, connection: AccountConnection): void {
    if (Number(status) === 200) {
      connection.emit({ type: 'connected' });
      return;
    }
    const { code, msg } = (error ?? {}) as Row;
    const meaning = readBinanceError(Number(code), String(msg));
    if (meaning === 'wrong_time') config.onWrongTime();
    const why = `the venue refused (${String(msg ?? status)})`;
    if (meaning === 'not_allowed') connection.refuse(new ExchangeRefused('binance', why, 'not_allowed'));
    else connection.end(why);
  }

  /** Reads the used weight and a pause from a response, since pings and subscriptions count as requests. */
  function readLimits(message: Row): void {
    const pause = pauseOfMessage(message, config.now());
    if (pause !== null) config.net.beginPause(pause);
    const weight = usedWeight(message.rateLimits);
    if (weight !== null) config.budget.onUsedWeight(weight);
  }

  function onUserEvent(event: Row, { emit }: AccountConnection): void {
    if (event.e === 'executionReport') {
      const execution = executionOf(event, config.marketById);
      if (execution === null) return;
      config.names.set(execution.order, execution.report.clientOrderId);
      // The fill precedes the report, which includes it already.
      if (execution.fill !== null) emit({ type: 'fill', fill: execution.fill });
      emit({ type: 'order', report: execution.report });
    } else if (event.e === 'outboundAccountPosition') {
      emit({ type: 'balances', balances: balancesOf(event) });
    }
  }
}

function read(data: unknown): Row | null {
  try {
    const message: unknown = JSON.parse(String(data));
    return typeof message === 'object' && message !== null ? (message as Row) : null;
  } catch {
    return null;
  }
}

/** Returns the used weight of this minute from the limits in a response; null when it has none. */
function usedWeight(rateLimits: unknown): number | null {
  if (!Array.isArray(rateLimits)) return null;
  const row = (rateLimits as Row[]).find(
    ({ rateLimitType, interval, intervalNum }) =>
      rateLimitType === 'REQUEST_WEIGHT' && interval === 'MINUTE' && Number(intervalNum) === 1,
  );
  return Number.isFinite(Number(row?.count)) ? Number(row?.count) : null;
}

/** Returns the parameters of a subscription with their signature, sorted by name. */
function signed({ key, secret }: ApiKey, timestamp: number): object {
  const payload = `apiKey=${key}&timestamp=${timestamp}`;
  return { apiKey: key, timestamp, signature: signText(secret, payload) };
}
