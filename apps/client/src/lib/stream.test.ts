import { beforeEach, describe, expect, test } from 'vitest';
import { createStream, retryDelayMs, type Socket, type Stream } from './stream.ts';

interface FakeSocket extends Socket {
  readonly sent: unknown[];
  closed: boolean;
}

/** The time of this clock advances only in `pass`. */
function clock() {
  let now = 0;
  let next = 1;
  const timers = new Map<number, { at: number; act: () => void }>();
  return {
    setTimer(act: () => void, ms: number) {
      timers.set(next, { at: now + ms, act });
      return next++;
    },
    clearTimer: (timer: unknown) => void timers.delete(timer as number),
    pass(ms: number) {
      now += ms;
      for (const [id, { at, act }] of [...timers]) {
        if (at <= now && timers.delete(id)) act();
      }
    },
    waiting: () => [...timers.values()].map(({ at }) => at - now),
  };
}

let sockets: FakeSocket[];
let time: ReturnType<typeof clock>;
let stream: Stream;

const latest = () => sockets.at(-1) as FakeSocket;

beforeEach(() => {
  sockets = [];
  time = clock();
  stream = createStream({
    random: () => 1,
    setTimer: time.setTimer,
    clearTimer: time.clearTimer,
    open() {
      const socket: FakeSocket = {
        onopen: null,
        onmessage: null,
        onclose: null,
        sent: [],
        closed: false,
        send: (data) => void socket.sent.push(JSON.parse(data)),
        close() {
          socket.closed = true;
        },
      };
      sockets.push(socket);
      return socket;
    },
  });
});

describe('the stream', () => {
  test('opens no connection before its start', () => {
    expect(sockets).toHaveLength(0);
    expect(stream.status()).toBe('off');
  });

  test('passes on pushed messages', () => {
    const received: unknown[] = [];
    stream.onMessage((message) => received.push(message));
    stream.start();
    latest().onopen?.();
    latest().onmessage?.({ data: '{"type":"removed","id":"abc123"}' });
    expect(received).toEqual([{ type: 'removed', id: 'abc123' }]);
  });

  test('watches a bot at once when open, and an earlier one when it opens', () => {
    stream.watch('abc123');
    stream.start();
    expect(latest().sent).toEqual([]);
    latest().onopen?.();
    stream.watch('def456');
    expect(latest().sent).toEqual([
      { type: 'watch', id: 'abc123' },
      { type: 'watch', id: 'def456' },
    ]);
  });

  test('watches the bot of the topmost remaining page', () => {
    const begun: string[] = [];
    stream.onWatch((id) => begun.push(id));
    const leaveFirst = stream.watch('abc123');
    stream.start();
    latest().onopen?.();
    stream.watch('def456')();
    const leaveLast = stream.watch('ghi789');
    leaveFirst();
    expect(begun).toEqual(['abc123', 'def456', 'abc123', 'ghi789']);
    leaveLast();
    expect(begun).toHaveLength(4);
    expect(latest().sent).toEqual([...begun, null].map((id) => ({ type: 'watch', id })));
  });

  test('connects again after a loss and watches the same bot again', () => {
    stream.watch('abc123');
    stream.start();
    latest().onopen?.();
    latest().onclose?.();
    expect(stream.status()).toBe('lost');
    time.pass(500);
    expect(sockets).toHaveLength(2);
    latest().onopen?.();
    expect(stream.status()).toBe('open');
    expect(latest().sent).toEqual([{ type: 'watch', id: 'abc123' }]);
  });

  test('waits longer after each failed try, and briefly again after it was open', () => {
    stream.start();
    latest().onclose?.();
    expect(time.waiting()).toEqual([500]);
    time.pass(500);
    latest().onclose?.();
    expect(time.waiting()).toEqual([1000]);
    time.pass(1000);
    latest().onopen?.();
    latest().onclose?.();
    expect(time.waiting()).toEqual([500]);
  });

  test('waits longer each time that the server rejects its load, although it was open', () => {
    stream.start();
    for (const wait of [4_000, 8_000, 15_000, 15_000]) {
      latest().onopen?.();
      latest().onclose?.({ code: 4429 });
      expect(stream.status()).toBe('lost');
      expect(time.waiting()).toEqual([wait]);
      time.pass(wait);
    }
    latest().onopen?.();
    latest().onclose?.({ code: 1001 });
    expect(time.waiting()).toEqual([500]);
    time.pass(500);
    latest().onopen?.();
    latest().onclose?.({ code: 4429 });
    expect(time.waiting()).toEqual([4_000]);
  });

  test('reconnects at once on request', () => {
    stream.start();
    latest().onclose?.();
    stream.reconnectNow();
    expect(sockets).toHaveLength(2);
    expect(time.waiting()).toEqual([]);
  });

  test('watches again after silence, and closes a connection without a response', () => {
    stream.watch('abc123');
    stream.start();
    latest().onopen?.();
    time.pass(75_000);
    expect(latest().sent).toEqual([
      { type: 'watch', id: 'abc123' },
      { type: 'watch', id: 'abc123' },
    ]);
    time.pass(10_000);
    expect(sockets[0]?.closed).toBe(true);
    expect(stream.status()).toBe('lost');
  });

  test('keeps a connection that responds after silence', () => {
    stream.watch('abc123');
    stream.start();
    latest().onopen?.();
    time.pass(75_000);
    latest().onmessage?.({ data: '{"type":"removed","id":"zzzzzz"}' });
    time.pass(10_000);
    expect(stream.status()).toBe('open');
  });

  test('ignores events of an old connection', () => {
    stream.start();
    const old = latest();
    old.onclose?.();
    time.pass(500);
    old.onopen?.();
    expect(stream.status()).toBe('lost');
    old.onclose?.();
    expect(sockets).toHaveLength(2);
  });

  test('stays off after a stop, and reports every change of its state', () => {
    const states: string[] = [];
    stream.onStatus((status) => states.push(status));
    stream.start();
    latest().onopen?.();
    latest().onclose?.();
    stream.stop();
    time.pass(60_000);
    expect(sockets).toHaveLength(1);
    expect(states).toEqual(['connecting', 'open', 'lost', 'off']);
  });
});

test('the wait before a retry doubles up to 15 s, and half of it is random', () => {
  expect(retryDelayMs(0, 1)).toBe(500);
  expect(retryDelayMs(3, 1)).toBe(4000);
  expect(retryDelayMs(30, 1)).toBe(15_000);
  expect(retryDelayMs(30, 0)).toBe(7_500);
});
