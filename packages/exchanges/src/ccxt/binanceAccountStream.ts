import { createHmac } from 'node:crypto';
import type { Market } from '@heron/engine/market/market.ts';
import { type ExchangeError, ExchangeUnreachable } from '../errors.ts';
import type { RateBudget } from '../rateBudget.ts';
import type { AccountEvent, AccountStream, ApiKey } from '../trading.ts';
import { balancesOf, executionOf, type Row } from './binanceAccount.ts';
import type { OrderNames } from './orderNames.ts';

const NAME = 'binance';
/** A ping each 3 s, given up when two stay unanswered: a dead connection is known within 9 s. */
const PING_MS = 3_000;
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 5_000;
/** A connection that has lasted so long was a good one: the next failure is a first one. */
const STABLE_MS = 10_000;

/** What {@link openBinanceAccountStream} needs of the adapter. */
export interface AccountStreamConfig {
  readonly url: string;
  readonly key: ApiKey;
  readonly names: OrderNames;
  readonly budget: RateBudget;
  marketById(id: string): Market | undefined;
  /** The venue's time, ms, once pairs and clock are known. */
  venueTime(): Promise<number>;
}

/**
 * The account's own events by Binance's WebSocket API: one connection, subscribed with a signature. What is missed while
 * it is away is not told again: whoever listens asks for it after each `connected`.
 */
export function openBinanceAccountStream(
  config: AccountStreamConfig,
  listener: (event: AccountEvent) => void,
): AccountStream {
  let socket: WebSocket | null = null;
  let closed = false;
  let pause = FIRST_PAUSE_MS;
  let timer: NodeJS.Timeout | null = null;
  connect();

  function connect(): void {
    timer = null;
    if (closed) return;
    const dialled = new WebSocket(config.url);
    socket = dialled;
    const openedAt = performance.now();
    let unanswered = 0;
    let over = false;
    let pinger: NodeJS.Timeout | null = null;

    const end = (why: string): void => {
      if (over) return;
      over = true;
      if (pinger) clearInterval(pinger);
      dialled.close();
      if (closed) return;
      listener({ type: 'lost', error: lost(why) });
      if (performance.now() - openedAt > STABLE_MS) pause = FIRST_PAUSE_MS;
      timer = setTimeout(connect, pause);
      pause = Math.min(pause * 2, LONGEST_PAUSE_MS);
    };
    const request = (id: string, method: string, params: object): void => {
      if (dialled.readyState === WebSocket.OPEN) dialled.send(JSON.stringify({ id, method, params }));
    };

    // Also for a connection that never opens: nothing answers the pings.
    pinger = setInterval(() => {
      if (unanswered >= 2) return end('no answer to a ping');
      unanswered += 1;
      request('ping', 'ping', {});
    }, PING_MS);
    dialled.onopen = () => {
      Promise.all([config.venueTime(), config.budget.take(2, 'account')]).then(
        ([timestamp]) => request('subscribe', 'userDataStream.subscribe.signature', signed(config.key, timestamp)),
        () => end('the time of the venue could not be read'),
      );
    };
    dialled.onclose = () => end('the connection was closed');
    dialled.onerror = () => end('the connection failed');
    dialled.onmessage = ({ data }) => {
      unanswered = 0;
      const message = read(data);
      if (message === null || over || closed) return;
      if (message.id === 'subscribe') {
        if (Number(message.status) === 200) listener({ type: 'connected' });
        else end(`the venue refused (${String((message.error as Row | undefined)?.msg ?? message.status)})`);
        return;
      }
      const event = message.event as Row | undefined;
      if (event === undefined) return;
      try {
        hear(event);
      } catch {
        end('an event could not be read');
      }
      // The venue ends a subscription, for example when the key was deleted.
      if (event.e === 'eventStreamTerminated') end('the venue ended the stream');
    };
  }

  function hear(event: Row): void {
    if (event.e === 'executionReport') {
      const told = executionOf(event, config.marketById);
      if (told === null) return;
      config.names.learn(told.orderId, told.report.clientOrderId);
      // The fill first: the report counts it already.
      if (told.fill !== null) listener({ type: 'fill', fill: told.fill });
      listener({ type: 'order', report: told.report });
    } else if (event.e === 'outboundAccountPosition') {
      listener({ type: 'balances', balances: balancesOf(event) });
    }
  }

  return {
    async close() {
      closed = true;
      if (timer) clearTimeout(timer);
      socket?.close();
    },
  };
}

function lost(why: string): ExchangeError {
  return new ExchangeUnreachable(NAME, `the account's stream was lost: ${why}`);
}

function read(data: unknown): Row | null {
  try {
    const message: unknown = JSON.parse(String(data));
    return typeof message === 'object' && message !== null ? (message as Row) : null;
  } catch {
    return null;
  }
}

/** Parameters sorted by name, signed as text. */
function signed({ key, secret }: ApiKey, timestamp: number): object {
  const payload = `apiKey=${key}&timestamp=${timestamp}`;
  return { apiKey: key, timestamp, signature: createHmac('sha256', secret).update(payload).digest('hex') };
}
