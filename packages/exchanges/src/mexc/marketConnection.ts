import type { ExchangeError } from '../errors.ts';
import type { Channel, StreamEvent } from '../exchange.ts';
import { channelKey, type StreamConfig } from '../venue/streamConfig.ts';
import { openSubscriptionSocket, type SubscriptionAnswer } from '../ws/subscriptionSocket.ts';
import { candleOf, channelName, type MexcFrame, quoteOf, tradesOf } from './parseMarket.ts';
import { decodePush } from './pushSchema.ts';

/** Channels that one connection accepts. */
const MAX_CHANNELS = 30;
/** A dead connection is recognised within 6 s. */
const PING_MS = 2_000;

/** Callbacks of a connection. */
export interface MexcListener {
  onConnected(): void;
  onLost(error: ExchangeError): void;
  /** Every channel of the connection has been subscribed. */
  onSubscribed(): void;
  onEvent(event: StreamEvent): void;
}

/** One connection to MEXC's streams. It reconnects by itself and then subscribes its channels again. */
export interface MexcConnection {
  readonly isOpen: boolean;
  /** Whether the connection is open, and every channel has been subscribed. */
  readonly isSubscribed: boolean;
  readonly isEmpty: boolean;
  has(channel: Channel): boolean;
  /** @returns false when the connection has as many channels as it accepts */
  add(channel: Channel): boolean;
  remove(channel: Channel): void;
  reconnect(): void;
  close(): void;
}

export function openMexcConnection(config: StreamConfig, listener: MexcListener): MexcConnection {
  /** Time of the newest push of each channel: an older push is late, one of the same time a repetition. */
  const newest = new Map<string, number>();
  /** Requests by the channel that they name: MEXC responds with the name. */
  const requests = new Map<string, number>();
  const nameOf = (channel: Channel) => {
    const id = config.idOf(channel.pair);
    return id === undefined ? undefined : channelName(channel, id);
  };
  const socket = openSubscriptionSocket(
    {
      ...{ exchange: config.exchange, net: config.net, pingMs: PING_MS, ping: { method: 'PING' }, batch: 1 },
      url: async () => config.address,
      nameOf,
      subscribe(params, id) {
        for (const name of params) requests.set(name, id);
        return { method: 'SUBSCRIPTION', params };
      },
      unsubscribe: (params) => ({ method: 'UNSUBSCRIPTION', params }),
      prepare: config.loadMarkets,
      refused: config.refused,
      onMessage(data) {
        if (!(data instanceof ArrayBuffer)) return answerOf(JSON.parse(String(data)), requests);
        onPush(decodePush(new Uint8Array(data)));
        return null;
      },
    },
    listener,
  );

  function onPush(frame: MexcFrame): void {
    const { channel = '', symbol = '' } = frame;
    const market = config.marketById(symbol);
    if (market === undefined) return;
    const candle = frame.publicSpotKline && candleOf(frame, market);
    if (candle) listener.onEvent(candle);
    const sentAt = Number(frame.sendTime);
    if (frame.publicSpotKline || sentAt <= (newest.get(channel) ?? 0)) return;
    newest.set(channel, sentAt);
    if (frame.publicAggreDeals) for (const trade of tradesOf(frame, market)) listener.onEvent(trade);
    const quote = frame.publicAggreBookTicker && quoteOf(frame, market);
    if (quote) listener.onEvent(quote);
  }

  return {
    get isOpen() {
      return socket.isOpen;
    },
    get isSubscribed() {
      return socket.isSubscribed;
    },
    get isEmpty() {
      return socket.size === 0;
    },
    has: (channel) => socket.has(channelKey(channel)),
    add(channel) {
      if (socket.size >= MAX_CHANNELS) return false;
      socket.watch(channelKey(channel), channel);
      return true;
    },
    remove: (channel) => socket.unwatch(channelKey(channel)),
    reconnect: () => socket.reconnect(),
    close: () => socket.close(),
  };
}

/** `{"id":0,"code":0,"msg":"spot@…"}` or `{"id":0,"code":0,"msg":"Not Subscribed successfully! [spot@…]. Reason: …"}` */
function answerOf({ msg }: { msg?: unknown }, requests: ReadonlyMap<string, number>): SubscriptionAnswer | null {
  const text = String(msg);
  const refused = /^Not Subscribed successfully! \[(.*)\]/.exec(text)?.[1];
  const id = requests.get(refused ?? text);
  return id === undefined ? null : { id, refusal: refused === undefined ? null : text };
}
