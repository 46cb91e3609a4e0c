import type { CcxtClient, CcxtExchange } from '../ccxt/library.ts';
import type { Channel, StreamEvent } from '../exchange.ts';
import { channelKey, type StreamConfig } from '../venue/streamConfig.ts';
import { candleOf, channelName, type MexcFrame, quoteOf, tradesOf } from './parseMarket.ts';

/** Channels that one connection takes. */
const MAX_CHANNELS = 30;
/** Requests to subscribe are collected this long. */
const COLLECT_MS = 20;
/** A ping each 2 s, given up after two stay unanswered: a dead connection is known within 8 s. */
const PING_MS = 2_000;
const RETRY_MS = 1_000;
const REFUSED_RETRY_MS = 5_000;

/** What a connection tells of itself and of the market. */
export interface MexcListener {
  connected(): void;
  lost(error: unknown): void;
  emit(event: StreamEvent): void;
}

/** One connection to MEXC's streams. It reconnects by itself and then asks for its channels again. */
export interface MexcConnection {
  readonly isOpen: boolean;
  readonly isEmpty: boolean;
  has(channel: Channel): boolean;
  /** @returns false when the connection has all it can take */
  add(channel: Channel): boolean;
  remove(channel: Channel): void;
  reconnect(): void;
  close(): Promise<void>;
}

/**
 * ccxt dials, subscribes, pings, decodes and pauses between attempts; we read the decoded frames ourselves, because its
 * caches cost a parse that nobody reads and it numbers trades that have no number.
 *
 * A subscription of ccxt is a promise for the next message. Ours is never fulfilled and so costs nothing; it is rejected
 * when the connection ends.
 */
export function openMexcConnection(config: StreamConfig, hooks: MexcListener): MexcConnection {
  const channels = new Map<string, Channel>();
  const pending = new Map<string, Channel>();
  /** When the newest push of each channel was sent: an older one came late, the same one twice. */
  const newest = new Map<string, number>();
  let timer: NodeJS.Timeout | null = null;
  let isOpen = false;
  let isClosed = false;

  class ConnectionSlot extends config.Class {
    // ccxt sends after a pause and looks after no failure: when the socket has closed meanwhile, that would end the process.
    // The loss itself is told by the hooks below.
    override client(url: string): CcxtClient {
      const client = super.client(url);
      if (!Object.hasOwn(client, 'send')) {
        const send = client.send.bind(client);
        client.send = (message) => send(message).catch(() => null);
      }
      return client;
    }

    override onConnected(client: CcxtClient, message?: unknown): void {
      super.onConnected(client, message);
      isOpen = true;
      if (!isClosed) hooks.connected();
    }

    override onError(client: CcxtClient, error: unknown): void {
      super.onError(client, error);
      lost(error);
    }

    override onClose(client: CcxtClient, error: unknown): void {
      // After an error the loss has been told already.
      const hadFailed = client.error !== undefined;
      super.onClose(client, error);
      if (!hadFailed) lost(new config.errors.NetworkError('the connection was closed'));
    }

    override handleProtobufMessage(_client: CcxtClient, message: unknown): boolean {
      // as ccxt's decoder writes it
      if (!isClosed) read(message as MexcFrame);
      return true;
    }

    override handleSubscriptionStatus(client: CcxtClient, message: unknown): void {
      const { msg } = message as { msg?: unknown };
      const refused = /^Not Subscribed successfully! \[(.*)\]/.exec(String(msg))?.[1];
      if (refused === undefined) {
        super.handleSubscriptionStatus(client, message);
        return;
      }
      for (const name of refused.split(',')) {
        delete client.subscriptions[name];
        client.reject(new config.errors.NotSupported(`it refuses the channel ${name}`), name);
      }
    }
  }

  const exchange: CcxtExchange = new ConnectionSlot({
    ...config.options,
    streaming: { keepAlive: PING_MS, maxPingPongMisses: 2 },
  });
  exchange.urls.api.ws.spot = config.address;
  const ready = exchange.loadHttpProxyAgent();

  function read(frame: MexcFrame): void {
    const { channel = '', symbol = '' } = frame;
    const market = config.marketById(symbol);
    if (!market) return;
    const candle = frame.publicSpotKline && candleOf(frame, market);
    if (candle) hooks.emit(candle);
    const sentAt = Number(frame.sendTime);
    if (frame.publicSpotKline || sentAt <= (newest.get(channel) ?? 0)) return;
    newest.set(channel, sentAt);
    if (frame.publicAggreDeals) for (const trade of tradesOf(frame, market)) hooks.emit(trade);
    const quote = frame.publicAggreBookTicker && quoteOf(frame, market);
    if (quote) hooks.emit(quote);
  }

  function lost(error: unknown): void {
    isOpen = false;
    if (isClosed) return;
    hooks.lost(error);
    for (const [key, channel] of channels) pending.set(key, channel);
    plan(COLLECT_MS);
  }

  function plan(delayMs: number): void {
    if (timer !== null || isClosed) return;
    timer = setTimeout(() => {
      timer = null;
      void subscribe();
    }, delayMs);
  }

  function again(wanted: readonly Channel[], delayMs: number): void {
    for (const channel of wanted) if (channels.has(channelKey(channel))) pending.set(channelKey(channel), channel);
    plan(delayMs);
  }

  async function subscribe(): Promise<void> {
    const wanted = [...pending.values()];
    pending.clear();
    if (wanted.length === 0) return;
    try {
      await ready;
      await config.loadMarkets(exchange);
    } catch (error) {
      if (!isClosed) hooks.lost(error);
      again(wanted, RETRY_MS);
      return;
    }
    for (const channel of wanted) {
      const name = nameOf(channel);
      if (isClosed || name === undefined || !channels.has(channelKey(channel))) continue;
      exchange.watchSpotPublic(name, name).catch((error: unknown) => refused(channel, error));
    }
  }

  /** Lost connections come through the hooks above; what is left is a subscription that the venue refused. */
  function refused(channel: Channel, error: unknown): void {
    const { NetworkError, UnsubscribeError, ExchangeClosedByUser } = config.errors;
    if (isClosed || [NetworkError, UnsubscribeError, ExchangeClosedByUser].some((kind) => error instanceof kind))
      return;
    hooks.lost(error);
    again([channel], REFUSED_RETRY_MS);
  }

  function nameOf(channel: Channel): string | undefined {
    const id = config.marketOf(channel.pair)?.id;
    return id === undefined ? undefined : channelName(channel, id);
  }

  return {
    get isOpen() {
      return isOpen;
    },
    get isEmpty() {
      return channels.size === 0;
    },
    has: (channel) => channels.has(channelKey(channel)),
    add(channel) {
      if (channels.size >= MAX_CHANNELS) return false;
      channels.set(channelKey(channel), channel);
      pending.set(channelKey(channel), channel);
      plan(COLLECT_MS);
      return true;
    },
    remove(channel) {
      channels.delete(channelKey(channel));
      if (pending.delete(channelKey(channel))) return;
      const name = nameOf(channel);
      const client = exchange.clients[config.address];
      if (name === undefined || !client?.subscriptions[name]) return;
      delete client.subscriptions[name];
      client.reject(new config.errors.UnsubscribeError(name), name);
      void client.send({ method: 'UNSUBSCRIPTION', params: [name] });
    },
    reconnect() {
      for (const client of Object.values(exchange.clients)) client.close();
    },
    async close() {
      isClosed = true;
      if (timer !== null) clearTimeout(timer);
      await exchange.close();
    },
  };
}
