import type { Channel, PublicStream, StreamEvent } from '../exchange.ts';
import { channelKey, type StreamConfig } from '../venue/streamConfig.ts';
import {
  type BinanceConnection,
  type MarketFrame,
  openBinanceConnection,
  type StreamParts,
} from './marketConnection.ts';

/** The old connection delivers this long after the new one is subscribed, so that messages under way still arrive. */
const OVERLAP_MS = 1_000;

/** A new connection that is not subscribed in this time is closed, and another one is opened. */
const HANDOVER_MS = 30_000;

/** A connection and its role in a handover: the current one delivers, its successor collects. */
interface ManagedConnection {
  readonly connection: BinanceConnection;
  role: 'current' | 'successor' | 'closed';
  /** Frames that a successor has received, oldest first. */
  readonly frames: MarketFrame[];
  subscribed: boolean;
  timer: NodeJS.Timeout | null;
}

/**
 * The market streams of Binance. When the server announces its shutdown, a new connection is opened and subscribed before
 * the old one is closed. Until then the old one delivers; nothing is lost and no trade is repeated.
 */
export function openBinanceStream(
  config: StreamConfig,
  parts: StreamParts,
  listener: (event: StreamEvent) => void,
): PublicStream {
  const wanted = new Map<string, Channel>();
  const lastTrade = new Map<string, number>();
  let closed = false;
  /** The listener has received `lost`, and no `connected` since. */
  let isLost = false;
  let current = open('current');
  let successor: ManagedConnection | null = null;

  function open(role: 'current' | 'successor'): ManagedConnection {
    const managed: ManagedConnection = {
      ...{ role, frames: [], subscribed: false, timer: null },
      connection: openBinanceConnection(config, parts, {
        onConnected() {
          if (managed.role === 'current') emit({ type: 'connected' });
        },
        onLost(error) {
          if (managed.role === 'successor') onSuccessorLost(managed);
          else if (successor?.subscribed === true) takeOver(successor);
          else emit({ type: 'lost', error });
        },
        onFrame(frame) {
          if (managed.role === 'current') deliver(frame);
          else if (managed.role === 'successor') managed.frames.push(frame);
        },
        onSubscribed() {
          // A refused subscription was accepted.
          if (managed.role === 'current' && isLost) emit({ type: 'connected' });
          if (managed.role !== 'successor' || managed.subscribed) return;
          managed.subscribed = true;
          setTimer(managed, () => takeOver(managed), OVERLAP_MS);
        },
        onShutdown() {
          if (managed.role === 'current') handOver();
          else if (managed.role === 'successor') restartHandover(managed);
        },
      }),
    };
    return managed;
  }

  function setTimer(managed: ManagedConnection, action: () => void, delayMs: number): void {
    if (managed.timer !== null) clearTimeout(managed.timer);
    managed.timer = setTimeout(action, delayMs);
  }

  function handOver(): void {
    // With nothing subscribed nothing can be missed: the connection is opened again once the server has gone.
    if (closed || successor !== null || wanted.size === 0) return;
    const opened = open('successor');
    successor = opened;
    setTimer(opened, () => restartHandover(opened), HANDOVER_MS);
    opened.connection.watch([...wanted.values()]);
  }

  function restartHandover(given: ManagedConnection): void {
    if (successor !== given) return;
    end(given);
    successor = null;
    handOver();
  }

  /** The successor reconnects by itself. Frames from before the loss may be followed by a gap. */
  function onSuccessorLost(lost: ManagedConnection): void {
    lost.frames.length = 0;
    if (!lost.subscribed) return;
    lost.subscribed = false;
    setTimer(lost, () => restartHandover(lost), HANDOVER_MS);
  }

  function takeOver(next: ManagedConnection): void {
    if (closed || successor !== next) return;
    end(current);
    if (next.timer !== null) clearTimeout(next.timer);
    next.role = 'current';
    current = next;
    successor = null;
    // The old connection was lost before this one was subscribed: the listener repairs the gap between them.
    if (isLost) emit({ type: 'connected' });
    for (const frame of withoutOldQuotes(next.frames)) deliver(frame);
    next.frames.length = 0;
  }

  function end(managed: ManagedConnection): void {
    managed.role = 'closed';
    if (managed.timer !== null) clearTimeout(managed.timer);
    managed.connection.close();
  }

  function deliver({ event, tradeId }: MarketFrame): void {
    if (tradeId !== undefined && event.type === 'trade') {
      if (tradeId <= (lastTrade.get(event.pair) ?? -1)) return;
      lastTrade.set(event.pair, tradeId);
    }
    emit(event);
  }

  function emit(event: StreamEvent): void {
    if (closed) return;
    if (event.type === 'lost' || event.type === 'connected') isLost = event.type === 'lost';
    listener(event);
  }

  return {
    watch(channels) {
      for (const channel of channels) wanted.set(channelKey(channel), channel);
      current.connection.watch(channels);
      successor?.connection.watch(channels);
    },
    unwatch(channels) {
      for (const channel of channels) wanted.delete(channelKey(channel));
      current.connection.unwatch(channels);
      successor?.connection.unwatch(channels);
    },
    reconnect() {
      current.connection.reconnect();
    },
    async close() {
      closed = true;
      for (const managed of [current, successor]) if (managed !== null) end(managed);
    },
  };
}

/** Returns the frames with only the newest quote of each pair: the older quotes were delivered by the old connection. */
function withoutOldQuotes(frames: readonly MarketFrame[]): MarketFrame[] {
  const newest = new Map<string, MarketFrame>();
  for (const frame of frames) if (frame.event.type === 'quote') newest.set(frame.event.pair, frame);
  return frames.filter((frame) => frame.event.type !== 'quote' || newest.get(frame.event.pair) === frame);
}
