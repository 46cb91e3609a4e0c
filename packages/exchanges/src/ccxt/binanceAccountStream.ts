import { createHmac } from 'node:crypto';
import type { Market } from '@heron/engine/market/market.ts';
import type { RateBudget } from '../rateBudget.ts';
import type { AccountEvent, AccountStream, ApiKey } from '../trading.ts';
import { type AccountLine, openAccountConnection } from './accountConnection.ts';
import { balancesOf, executionOf, type Row } from './binanceAccount.ts';
import type { OrderNames } from './orderNames.ts';

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

/** The account's own events by Binance's WebSocket API, subscribed with a signature. */
export function openBinanceAccountStream(
  config: AccountStreamConfig,
  listener: (event: AccountEvent) => void,
): AccountStream {
  return openAccountConnection(
    {
      exchange: 'binance',
      ping: { id: 'ping', method: 'ping', params: {} },
      address: async () => config.url,
      opened(line) {
        Promise.all([config.venueTime(), config.budget.take(2, 'account')]).then(
          ([timestamp]) => {
            const params = signed(config.key, timestamp);
            line.send({ id: 'subscribe', method: 'userDataStream.subscribe.signature', params });
          },
          () => line.end('the time of the venue could not be read'),
        );
      },
      heard(data, line) {
        const message = read(data);
        if (message?.id === 'subscribe') {
          if (Number(message.status) === 200) line.tell({ type: 'connected' });
          else line.end(`the venue refused (${String((message.error as Row | undefined)?.msg ?? message.status)})`);
          return;
        }
        const event = message?.event as Row | undefined;
        if (event === undefined) return;
        hear(event, line);
        // The venue ends a subscription, for example when the key was deleted.
        if (event.e === 'eventStreamTerminated') line.end('the venue ended the stream');
      },
      ended() {},
      async closed() {},
    },
    listener,
  );

  function hear(event: Row, { tell }: AccountLine): void {
    if (event.e === 'executionReport') {
      const told = executionOf(event, config.marketById);
      if (told === null) return;
      config.names.learn(told.order, told.report.clientOrderId);
      // The fill first: the report counts it already.
      if (told.fill !== null) tell({ type: 'fill', fill: told.fill });
      tell({ type: 'order', report: told.report });
    } else if (event.e === 'outboundAccountPosition') {
      tell({ type: 'balances', balances: balancesOf(event) });
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

/** Parameters sorted by name, signed as text. */
function signed({ key, secret }: ApiKey, timestamp: number): object {
  const payload = `apiKey=${key}&timestamp=${timestamp}`;
  return { apiKey: key, timestamp, signature: createHmac('sha256', secret).update(payload).digest('hex') };
}
