import { setTimeout as delay } from 'node:timers/promises';
import type { CcxtClient } from '../ccxt/library.ts';
import type { Channel, StreamEvent } from '../exchange.ts';
import { channelKey, type StreamConfig } from '../venue/streamConfig.ts';
import { candleOf, isShutdown, quoteOf, tradeOf } from './parseMarket.ts';

/** Requests to subscribe are collected this long, so that ten pairs cost three messages (Binance takes five a second). */
const COLLECT_MS = 20;

/** An unsubscription that is not answered in this time will not be. */
const CLOSE_TIMEOUT_MS = 3_000;

/** A ping each 2 s, given up after two stay unanswered: a dead connection is known within 8 s. */
const PING_MS = 2_000;

/** Market data as a frame brings it; a trade with its number, by which the same trade of another connection is known. */
export type MarketFrame = { readonly event: StreamEvent; readonly tradeId?: number };

/** Events of a connection. */
export interface ConnectionListener {
  onConnected(): void;
  onLost(error: unknown): void;
  onFrame(frame: MarketFrame): void;
  /** Everything that was asked for has been subscribed. */
  onSubscribed(): void;
  /** The server is about to go and asks its clients to connect again. */
  onShutdown(): void;
}

/** One connection to the market streams of Binance, which reconnects by itself until it is closed. */
export interface BinanceConnection {
  watch(channels: readonly Channel[]): void;
  /** @param channels that are no longer wanted, whether they were subscribed or not */
  unwatch(channels: readonly Channel[]): void;
  reconnect(): void;
  close(): Promise<void>;
}

/**
 * All streams of Binance spot on one connection; of USD-M futures on two, since books and candles have addresses of their
 * own. ccxt dials, subscribes, pings and pauses between attempts; we read the frames ourselves, because its candles drop
 * the flag that says "closed" and its caches cost a parse that nobody reads.
 *
 * A subscription of ccxt is a promise for the next message. Ours is never fulfilled and so costs nothing; it is rejected
 * when the connection ends.
 */
export function openBinanceConnection(config: StreamConfig, listener: ConnectionListener): BinanceConnection {
  const wanted = new Map<string, Channel>();
  const pending = new Map<string, Channel>();
  /** Unsubscriptions that are not answered yet. */
  const leaving = new Set<Promise<unknown>>();
  const unanswered = createSubscriptionCount();
  let timer: NodeJS.Timeout | null = null;
  let closed = false;

  class Streams extends config.Class {
    // One connection for everything: it is lost and repaired as a whole.
    override stream(): string {
      return '0';
    }

    // ccxt sends after a pause and looks after no failure: when the socket has closed meanwhile, that would end the process.
    // The hooks below report the loss itself.
    override client(url: string): CcxtClient {
      const client = super.client(url);
      if (!Object.hasOwn(client, 'send')) {
        const send = client.send.bind(client);
        client.send = (message) => {
          unanswered.onSent(message);
          return send(message).catch(() => null);
        };
      }
      return client;
    }

    override onConnected(client: CcxtClient, message?: unknown): void {
      super.onConnected(client, message);
      if (!closed) listener.onConnected();
    }

    override onError(client: CcxtClient, error: unknown): void {
      super.onError(client, error);
      lost(error);
    }

    override onClose(client: CcxtClient, error: unknown): void {
      // After an error the loss has been reported already.
      const reported = client.error !== undefined;
      super.onClose(client, error);
      if (!reported) lost(new config.errors.NetworkError('the connection was closed'));
    }

    override handleMessage(client: CcxtClient, message: unknown): void {
      if (closed) return;
      if (isShutdown(message)) listener.onShutdown();
      else super.handleMessage(client, message);
    }

    override handleSubscriptionStatus(client: CcxtClient, message: unknown): void {
      super.handleSubscriptionStatus(client, message);
      if (unanswered.onAnswer(message) && pending.size === 0) listener.onSubscribed();
    }

    override handleBidsAsks(_client: CcxtClient, frame: unknown): void {
      const event = quoteOf(frame, config.marketById);
      if (event) listener.onFrame({ event });
    }

    override handleTrade(_client: CcxtClient, frame: unknown): void {
      const trade = tradeOf(frame, config.marketById);
      if (trade) listener.onFrame({ event: trade.event, tradeId: trade.id });
    }

    override handleOHLCV(_client: CcxtClient, frame: unknown): void {
      const event = candleOf(frame, config.marketById);
      if (event) listener.onFrame({ event });
    }
  }

  const exchange = new Streams({
    ...config.options,
    streaming: { keepAlive: PING_MS, maxPingPongMisses: 2 },
  });
  exchange.urls.api.ws.spot = config.address;
  exchange.urls.api.ws.future = config.address;
  const ready = exchange.loadHttpProxyAgent();

  function lost(error: unknown): void {
    if (closed) return;
    unanswered.reset();
    listener.onLost(error);
    for (const [key, channel] of wanted) pending.set(key, channel);
    plan(COLLECT_MS);
  }

  function plan(delayMs: number): void {
    if (timer !== null || closed) return;
    timer = setTimeout(() => {
      timer = null;
      void subscribe();
    }, delayMs);
  }

  function resubscribe(channels: readonly Channel[]): void {
    for (const channel of channels) if (wanted.has(channelKey(channel))) pending.set(channelKey(channel), channel);
  }

  async function subscribe(): Promise<void> {
    const channels = [...pending.values()];
    pending.clear();
    if (channels.length === 0) return;
    try {
      await ready;
      // ccxt counts a channel as subscribed until its unsubscription is answered, and would not subscribe it again.
      await Promise.race([Promise.all(leaving), delay(CLOSE_TIMEOUT_MS)]);
      await config.loadMarkets(exchange);
    } catch (error) {
      if (!closed) listener.onLost(error);
      resubscribe(channels);
      plan(1_000);
      return;
    }
    if (closed) return;
    const { quotes, trades, candles } = symbolsOf(channels);
    if (quotes.length > 0) follow(exchange.watchBidsAsks(quotes), channels);
    if (trades.length > 0) follow(exchange.watchTradesForSymbols(trades), channels);
    if (candles.length > 0) follow(exchange.watchOHLCVForSymbols(candles), channels);
  }

  /** The hooks above report lost connections; what is left is a subscription that the venue refused. */
  function follow(subscription: Promise<unknown>, channels: readonly Channel[]): void {
    unanswered.onAsked();
    subscription.catch((error: unknown) => {
      const { NetworkError, UnsubscribeError, ExchangeClosedByUser } = config.errors;
      if (closed || [NetworkError, UnsubscribeError, ExchangeClosedByUser].some((kind) => error instanceof kind))
        return;
      listener.onLost(error);
      resubscribe(channels);
      plan(5_000);
    });
  }

  /** Frames that still come after an unsubscription are ignored, so its end does not matter. */
  function ignoreResult(request: Promise<unknown>): void {
    const answered: Promise<unknown> = request.catch(() => {}).finally(() => leaving.delete(answered));
    leaving.add(answered);
  }

  function symbolsOf(channels: readonly Channel[]): {
    quotes: string[];
    trades: string[];
    candles: [string, string][];
  } {
    const found = { quotes: [] as string[], trades: [] as string[], candles: [] as [string, string][] };
    for (const channel of channels) {
      const symbol = config.marketOf(channel.pair)?.symbol;
      if (symbol === undefined) continue;
      if (channel.kind === 'candles') found.candles.push([symbol, channel.period]);
      else found[channel.kind].push(symbol);
    }
    return found;
  }

  return {
    watch(channels) {
      for (const channel of channels) {
        wanted.set(channelKey(channel), channel);
        pending.set(channelKey(channel), channel);
      }
      plan(COLLECT_MS);
    },
    unwatch(channels) {
      const left = channels.filter(
        (channel) => wanted.delete(channelKey(channel)) && !pending.delete(channelKey(channel)),
      );
      const { quotes, trades, candles } = symbolsOf(left);
      if (quotes.length > 0) ignoreResult(exchange.unWatchBidsAsks(quotes));
      if (trades.length > 0) ignoreResult(exchange.unWatchTradesForSymbols(trades));
      if (candles.length > 0) ignoreResult(exchange.unWatchOHLCVForSymbols(candles));
    },
    reconnect() {
      for (const client of Object.values(exchange.clients ?? {})) client.close();
    },
    async close() {
      closed = true;
      if (timer !== null) clearTimeout(timer);
      await exchange.close();
    },
  };
}

/** Counts requests to subscribe that the venue has not answered. ccxt sends them later than it is asked. */
function createSubscriptionCount() {
  const sent = new Set<string>();
  let open = 0;
  return {
    onAsked(): void {
      open += 1;
    },
    onSent(message: unknown): void {
      const { method, id } = message as { method?: unknown; id?: unknown };
      if (method === 'SUBSCRIBE') sent.add(String(id));
    },
    /** @returns whether this was the last answer that was missing */
    onAnswer(message: unknown): boolean {
      if (!sent.delete(String((message as { id?: unknown }).id))) return false;
      open -= 1;
      return open === 0;
    },
    reset(): void {
      sent.clear();
      open = 0;
    },
  };
}
