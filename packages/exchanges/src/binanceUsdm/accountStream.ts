import type { MarketById } from '../binance/parseAccount.ts';
import { isShutdown } from '../binance/parseMarket.ts';
import type { Row } from '../http/row.ts';
import type { VenueNet } from '../net/venueNet.ts';
import type { AccountEvent, AccountStream } from '../trading.ts';
import { type AccountConnection, openAccountConnection } from '../venue/accountConnection.ts';
import { orderUpdateOf, stopOf, stopUpdateOf, walletOf } from './parseAccount.ts';

/** A listen key is valid for an hour after each renewal. */
const RENEW_MS = 20 * 60_000;

/** Dependencies of {@link openBinanceUsdmAccountStream}. */
export interface UsdmStreamDeps {
  /** The address of the account streams ends in `/ws`; `/private` is inserted before it. */
  readonly net: VenueNet;
  readonly marketById: MarketById;
  /** Returns the account's only listen key and renews it. */
  listenKey(): Promise<string>;
  remember(order: string, clientOrderId: string, exit: boolean): void;
  /** Stores that a stop became an order. */
  onTriggered(order: string, stop: string): void;
  /** Returns the client id of the stop that became this order. */
  stopBehind(order: string): string | undefined;
  loadMarkets(): Promise<void>;
}

/** Streams the account's events by its listen key. The key stays valid at the end, because other programs may use it. */
export function openBinanceUsdmAccountStream(
  config: UsdmStreamDeps,
  listener: (event: AccountEvent) => void,
): AccountStream {
  /** One timer for each connection. */
  const renewals = new Map<AccountConnection, NodeJS.Timeout>();

  function renewLater(connection: AccountConnection): void {
    const renewal = setTimeout(() => {
      config.listenKey().then(
        () => {
          if (renewals.has(connection)) renewLater(connection);
        },
        () => connection.end('its listen key could not be renewed'),
      );
    }, RENEW_MS);
    renewals.set(connection, renewal);
  }

  function stopRenewing(connection: AccountConnection): void {
    clearTimeout(renewals.get(connection));
    renewals.delete(connection);
  }

  function onOrderUpdate(event: Row, connection: AccountConnection): void {
    const update = orderUpdateOf(event, config.marketById);
    if (update === null) return;
    config.remember(update.order, update.report.clientOrderId, update.report.exit);
    const clientOrderId = config.stopBehind(update.order) ?? update.report.clientOrderId;
    // The fill precedes the report, which includes it already.
    if (update.fill !== null) connection.emit({ type: 'fill', fill: { ...update.fill, clientOrderId } });
    connection.emit({ type: 'order', report: { ...update.report, clientOrderId } });
  }

  function onUserEvent(event: Row, connection: AccountConnection): void {
    switch (event.e) {
      case 'ORDER_TRADE_UPDATE':
        onOrderUpdate(event, connection);
        return;
      case 'ALGO_UPDATE': {
        const { row, order } = stopUpdateOf(event);
        if (config.marketById(String(row.symbol)) === undefined) return;
        const report = stopOf(row, config.marketById);
        if (order !== null) config.onTriggered(order, report.clientOrderId);
        connection.emit({ type: 'order', report });
        return;
      }
      case 'ACCOUNT_UPDATE': {
        const { B, m } = event.a as { B?: Row[]; m: unknown };
        if (B !== undefined) connection.emit({ type: 'balances', balances: B.map(({ a, wb }) => walletOf(a, wb)) });
        if (m !== 'ORDER') connection.emit({ type: 'changed' });
        return;
      }
      case 'ACCOUNT_CONFIG_UPDATE':
        connection.emit({ type: 'changed' });
        return;
      case 'listenKeyExpired':
        connection.end('its listen key has expired');
    }
  }

  return openAccountConnection(
    {
      exchange: 'binanceusdm',
      net: config.net,
      ping: { id: 1, method: 'LIST_SUBSCRIPTIONS' },
      async address() {
        const [key] = await Promise.all([config.listenKey(), config.loadMarkets()]);
        return `${config.net.hosts.account[0]?.replace(/ws$/, 'private/ws')}?listenKey=${key}`;
      },
      onOpen(connection) {
        renewLater(connection);
        connection.emit({ type: 'connected' });
      },
      onMessage(data, connection) {
        const message: unknown = JSON.parse(String(data));
        if (isShutdown(message)) connection.replaceConnection();
        else if (typeof message === 'object' && message !== null) onUserEvent(message as Row, connection);
      },
      onClose: stopRenewing,
      async onStreamClosed() {},
    },
    listener,
  );
}
