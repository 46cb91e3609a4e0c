import type { OwnFill } from '@heron/engine/live/report.ts';
import type { MarketById } from '../binance/parseAccount.ts';
import type { Row } from '../http/row.ts';
import type { VenueNet } from '../net/venueNet.ts';
import type { AccountEvent, AccountStream } from '../trading.ts';
import { type AccountConnection, openAccountConnection } from '../venue/accountConnection.ts';
import { type ListenKeyCalls, openListenKey } from './listenKey.ts';
import { pushedBalance, pushedOrder } from './parseAccount.ts';
import { decodePush } from './pushSchema.ts';

/** Fills are read from this long before the pushed one. */
const BEFORE_MS = 5_000;
const ORDERS = 'spot@private.orders.v3.api.pb';
const DEALS = 'spot@private.deals.v3.api.pb';
const ACCOUNT = 'spot@private.account.v3.api.pb';

/** Dependencies of {@link openMexcAccountStream}. */
export interface MexcStreamDeps extends ListenKeyCalls {
  readonly net: VenueNet;
  marketById: MarketById;
  isCancelRequested(name: string): boolean;
  loadMarkets(): Promise<void>;
  fillsSince(pair: string, at: number): Promise<OwnFill[]>;
}

/**
 * Streams the account's events by a listen key. Pushed fills do not say whether they are maker or taker, so that each push
 * causes a read of the list of trades.
 */
export function openMexcAccountStream(config: MexcStreamDeps, listener: (event: AccountEvent) => void): AccountStream {
  /** Connections that use the listen key; during a replacement there are two. */
  const open = new Set<AccountConnection>();
  /** Pairs whose fills are being read; true when another push came in the meantime. */
  const reading = new Map<string, boolean>();

  const listenKey = openListenKey(config, () => {
    for (const connection of open) connection.end('its listen key could not be renewed');
  });

  async function readFills(pair: string, since: number, connection: AccountConnection): Promise<void> {
    if (reading.has(pair)) {
      reading.set(pair, true);
      return;
    }
    reading.set(pair, false);
    // After a failure the live bot reads the fills itself.
    const fills = await config.fillsSince(pair, since).catch(() => []);
    for (const fill of fills) connection.emit({ type: 'fill', fill });
    const again = reading.get(pair) === true;
    reading.delete(pair);
    if (again) await readFills(pair, since, connection);
  }

  function onFrame(frame: Row, connection: AccountConnection): void {
    const symbol = String(frame.symbol);
    const order = frame.privateOrders as Row | undefined;
    const deal = frame.privateDeals as Row | undefined;
    const balance = frame.privateAccount as Row | undefined;
    if (order !== undefined) {
      const report = pushedOrder(order, symbol, Number(frame.sendTime), config.marketById, config.isCancelRequested);
      if (report !== null) connection.emit({ type: 'order', report });
    }
    if (deal !== undefined) {
      const market = config.marketById(symbol);
      if (market !== undefined) void readFills(market.pair, Number(deal.time) - BEFORE_MS, connection);
    }
    if (balance !== undefined) connection.emit({ type: 'balances', balances: [pushedBalance(balance)] });
  }

  return openAccountConnection(
    {
      exchange: 'mexc',
      net: config.net,
      ping: { method: 'PING' },
      async address() {
        const [text] = await Promise.all([listenKey.get(), config.loadMarkets()]);
        return `${config.net.hosts.account[0]}?listenKey=${text}`;
      },
      onOpen(connection) {
        open.add(connection);
        connection.send({ method: 'SUBSCRIPTION', params: [ORDERS, DEALS, ACCOUNT] });
      },
      onUpgradeRefused: listenKey.forget,
      onMessage(data, connection) {
        if (data instanceof ArrayBuffer) {
          onFrame(decodePush(new Uint8Array(data)), connection);
          return;
        }
        const text = String(data);
        if (/invalid listen key|not subscribed|too many connections/i.test(text)) {
          listenKey.forget();
          connection.end('the venue refused its listen key');
        } else if ([ORDERS, DEALS, ACCOUNT].every((channel) => text.includes(channel))) {
          connection.emit({ type: 'connected' });
        }
      },
      onClose: (connection) => void open.delete(connection),
      onStreamClosed: listenKey.close,
    },
    listener,
  );
}
