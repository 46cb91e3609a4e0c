import type { ExchangeError } from '../errors.ts';
import type { Channel, StreamEvent } from '../exchange.ts';
import { channelKey, type StreamConfig } from '../venue/streamConfig.ts';
import { openSubscriptionSocket, type SubscriptionAnswer, type SubscriptionSocket } from '../ws/subscriptionSocket.ts';
import { candleOf, isShutdown, quoteOf, streamName, tradeOf } from './parseMarket.ts';

/** A dead connection is recognised within 6 s. */
const PING_MS = 2_000;
/** Channels in one request. */
const BATCH = 200;

/** Market data of one frame. The id of a trade recognises the same trade on another connection. */
export type MarketFrame = { readonly event: StreamEvent; readonly tradeId?: number };

/** Callbacks of a connection. */
export interface ConnectionListener {
  onConnected(): void;
  onLost(error: ExchangeError): void;
  onFrame(frame: MarketFrame): void;
  /** Every channel that is watched has been subscribed. */
  onSubscribed(): void;
  /** The server is shutting down and requests its clients to connect again. */
  onShutdown(): void;
}

/** One connection to the market streams of Binance. It reconnects by itself until it is closed. */
export interface BinanceConnection {
  watch(channels: readonly Channel[]): void;
  /** @param channels that are no longer wanted, whether they were subscribed or not */
  unwatch(channels: readonly Channel[]): void;
  reconnect(): void;
  close(): void;
}

/** Stream addresses of a venue, by the part of the streams that they carry. */
export interface StreamParts {
  /** Names of the parts; each has a socket of its own. */
  readonly names: readonly string[];
  partOf(channel: Channel): string;
  urlOf(part: string, address: string): string;
}

/** Spot has one address for everything. */
export const SPOT_PARTS: StreamParts = {
  names: ['all'],
  partOf: () => 'all',
  urlOf: (_part, address) => `${address}/0`,
};

/** USD-M has an address for books and trades and another one for candles. */
export const USDM_PARTS: StreamParts = {
  names: ['public', 'market'],
  partOf: ({ kind }) => (kind === 'candles' ? 'market' : 'public'),
  urlOf: (part, address) => `${address.replace(/ws$/, `${part}/ws`)}/0`,
};

/** Opens a connection, with one socket for each part of the streams. Nothing is dialled before the first channel. */
export function openBinanceConnection(
  config: StreamConfig,
  parts: StreamParts,
  listener: ConnectionListener,
): BinanceConnection {
  const subscribed = new Set<string>();
  const sockets = new Map<string, SubscriptionSocket>(parts.names.map((part) => [part, openPart(part)]));

  /** The sockets that have channels. */
  function used(): [string, SubscriptionSocket][] {
    return [...sockets].filter(([, { size }]) => size > 0);
  }

  function openPart(part: string): SubscriptionSocket {
    return openSubscriptionSocket(
      {
        ...{ exchange: config.exchange, net: config.net, pingMs: PING_MS, ping: null, batch: BATCH },
        url: async () => parts.urlOf(part, config.address),
        nameOf(channel) {
          const id = config.idOf(channel.pair);
          return id === undefined ? undefined : streamName(channel, id);
        },
        subscribe: (params, id) => ({ method: 'SUBSCRIBE', params, id }),
        unsubscribe: (params, id) => ({ method: 'UNSUBSCRIBE', params, id }),
        prepare: config.loadMarkets,
        refused: config.refused,
        onMessage: (data) => onMessage(JSON.parse(String(data)), config, listener),
      },
      {
        onConnected() {
          if (used().every(([, { isOpen }]) => isOpen)) listener.onConnected();
        },
        onLost(error) {
          subscribed.delete(part);
          listener.onLost(error);
        },
        onSubscribed() {
          subscribed.add(part);
          if (used().every(([name]) => subscribed.has(name))) listener.onSubscribed();
        },
      },
    );
  }

  return {
    watch(channels) {
      for (const channel of channels) {
        const part = parts.partOf(channel);
        subscribed.delete(part);
        sockets.get(part)?.watch(channelKey(channel), channel);
      }
    },
    unwatch(channels) {
      for (const channel of channels) sockets.get(parts.partOf(channel))?.unwatch(channelKey(channel));
    },
    reconnect() {
      for (const socket of sockets.values()) socket.reconnect();
    },
    close() {
      for (const socket of sockets.values()) socket.close();
    },
  };
}

function onMessage(message: unknown, config: StreamConfig, listener: ConnectionListener): SubscriptionAnswer | null {
  const fields = message as Readonly<Record<string, unknown>>;
  if (isShutdown(message)) listener.onShutdown();
  else if (fields.id !== undefined && fields.e === undefined) return answerOf(fields);
  else {
    const frame = frameOf(fields, config);
    if (frame !== null) listener.onFrame(frame);
  }
  return null;
}

/** `{"result":null,"id":1}` or `{"error":{"code":2,"msg":"Invalid request"},"id":1}` */
function answerOf({ id, error, code, msg }: Readonly<Record<string, unknown>>): SubscriptionAnswer {
  const { msg: why = error } = (error ?? {}) as { msg?: unknown };
  const refused = error !== undefined || (code !== undefined && msg !== undefined);
  return { id: Number(id), refusal: refused ? String(why ?? msg) : null };
}

function frameOf(fields: Readonly<Record<string, unknown>>, { marketById }: StreamConfig): MarketFrame | null {
  // Spot sends quotes without the name of the event.
  switch (fields.e ?? 'bookTicker') {
    case 'bookTicker': {
      const event = quoteOf(fields, marketById);
      return event && { event };
    }
    case 'trade': {
      const trade = tradeOf(fields, marketById);
      return trade && { event: trade.event, tradeId: trade.id };
    }
    case 'kline': {
      const event = candleOf(fields, marketById);
      return event && { event };
    }
    default:
      return null;
  }
}
