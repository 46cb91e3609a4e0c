import type { BotDetail, BotSummary, JournalEntry, Order, PairView } from '@heron/contract/bots/entities.ts';
import type { BotAlarms } from '@heron/contract/bots/notifications.ts';
import type { StreamMessage } from '@heron/contract/bots/stream.ts';
import {
  InfiniteQueryObserver,
  type InfiniteQueryObserverOptions,
  QueryClient,
  type QueryKey,
  QueryObserver,
} from '@tanstack/react-query';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Stream, StreamStatus } from '../../lib/stream.ts';
import { runBotCommand } from './pushes.ts';
import { applyMessage, followStream, gatherPairUpdates, spacedFrames } from './stream.ts';

const view = (pair: string) => ({ pair, last: '1', orders: [] }) as unknown as PairView;
const bot = (id: string, name: string) =>
  ({
    id,
    name,
    status: 'working',
    performance: { currency: 'USDT', startCapital: '100' },
    pairViews: [view('BTC-USDT'), view('ETH-USDT')],
  }) as unknown as BotDetail;

let queries: QueryClient;
const push = (message: unknown) => applyMessage(queries, message as StreamMessage);
const detail = () => queries.getQueryData<BotDetail>(['bot', 'abc123']) as BotDetail;
const names = () => queries.getQueryData<{ bots: BotSummary[] }>(['bots'])?.bots.map(({ name }) => name);

beforeEach(() => {
  queries = new QueryClient();
  queries.setQueryData(['bots'], { bots: [bot('abc123', 'One')] });
  queries.setQueryData(['bot', 'abc123'], bot('abc123', 'One'));
});

describe('pushed messages of the bot host', () => {
  test('rename, add and remove bots in the list', () => {
    push({ type: 'bot', bot: bot('abc123', 'Uno') });
    push({ type: 'bot', bot: bot('def456', 'Two') });
    expect(names()).toEqual(['Two', 'Uno']);
    push({ type: 'removed', id: 'abc123' });
    expect(names()).toEqual(['Two']);
  });

  test('invalidate the history of a bot that is new, starts, ends or changes its account', () => {
    const keys = [
      ['profits', 1],
      ['equity', 'abc123', 'day'],
      ['figures', 'abc123'],
    ];
    const asked = (change: object) => {
      for (const key of keys) queries.setQueryData(key, {});
      queries.setQueryData(['equity', 'def456', 'day'], {});
      push({ type: 'bot', bot: { ...bot('abc123', 'One'), ...change } });
      expect(queries.getQueryState(['equity', 'def456', 'day'])?.isInvalidated).toBe(false);
      return keys.map((key) => queries.getQueryState(key)?.isInvalidated);
    };
    expect(asked({ name: 'Uno', openPairs: 1 })).toEqual([false, false, false]);
    expect(asked({ status: 'finished' })).toEqual([true, true, true]);
    expect(asked({ status: 'finished' })).toEqual([false, false, false]);
    expect(asked({ performance: { currency: 'USDC', startCapital: '100' } })).toEqual([true, true, true]);
    expect(asked({ performance: { currency: 'USDC', startCapital: '500', trades: 4 } })).toEqual([true, true, true]);
    expect(asked({ performance: { currency: 'USDC', startCapital: '500', trades: 5 } })).toEqual([false, false, false]);
    expect(asked({ performance: { currency: 'USDC', startCapital: '500', trades: 0 } })).toEqual([true, true, true]);
    queries.setQueryData(['profits', 1], {});
    push({ type: 'bot', bot: bot('ghi789', 'Three') });
    expect(queries.getQueryState(['profits', 1])?.isInvalidated).toBe(true);
  });

  test('count unseen notifications and add each once at the top of the list', () => {
    const notice = (seq: number) => ({ id: `abc123.${seq}`, at: seq });
    queries.setQueryData(['notifications'], {
      pages: [{ notices: [notice(1)], next: null, unseen: 1 }],
      pageParams: [''],
    });
    const listed = () =>
      queries
        .getQueryData<{ pages: { notices: { id: string }[]; next: string | null }[] }>(['notifications'])
        ?.pages.flatMap((page) => page.notices.map(({ id }) => id));
    push({ type: 'unseen', count: 4 });
    push({ type: 'notice', notice: notice(2) });
    expect(queries.getQueryData(['unseen'])).toBe(5);
    expect(listed()).toEqual(['abc123.2', 'abc123.1']);
    push({ type: 'unseen', count: 0 });
    expect(queries.getQueryData(['unseen'])).toBe(0);
    for (let seq = 3; seq < 700; seq += 1) push({ type: 'notice', notice: notice(seq) });
    const pages = queries.getQueryData<{ pages: { notices: { id: string; at: number }[]; next: string }[] }>([
      'notifications',
    ])?.pages;
    const last = pages?.[0]?.notices.at(-1);
    expect(pages?.[0]?.notices.length).toBeLessThan(500);
    // The list is cut where the next page starts.
    expect(pages?.[0]?.next).toBe('251.abc123.251');
    expect(last?.at).toBe(251);
  });

  test('count alerts per bot, newest first, and invalidate them when some were seen', () => {
    const notify = (seq: number, kind = 'stop', bot = 'abc123') =>
      push({ type: 'notice', notice: { id: `${bot}.${seq}`, bot, kind, at: seq } });
    const alarms = () =>
      queries
        .getQueryData<{ bots: BotAlarms[] }>(['alarms'])
        ?.bots.map(({ bot, count, newest }) => `${bot} ${count} ${newest.id}`);
    push({ type: 'unseen', count: 0 });
    notify(1);
    expect(alarms()).toBeUndefined();
    queries.setQueryData(['alarms'], { bots: [] });
    notify(2);
    notify(3, 'fill');
    notify(4, 'alarm');
    // The alert is pushed although the pending response already contains it.
    notify(4, 'alarm');
    notify(9, 'bot_error', 'def456');
    expect(alarms()).toEqual(['abc123 2 abc123.4', 'def456 1 def456.9']);
    const asked = () => queries.getQueryState(['alarms'])?.isInvalidated;
    const unseen = queries.getQueryData<number>(['unseen']) ?? 0;
    push({ type: 'unseen', count: unseen });
    expect(asked()).toBe(false);
    push({ type: 'unseen', count: unseen - 1 });
    expect(asked()).toBe(true);
  });

  test('change the price of one pair only', () => {
    push({ type: 'quote', id: 'abc123', pair: 'ETH-USDT', at: 5, bid: '2', ask: '3', last: '2.5' });
    expect(detail().pairViews.map(({ last }) => last)).toEqual(['1', '2.5']);
  });

  test('show an order until it ends', () => {
    const order = { clientOrderId: 'h1', pair: 'BTC-USDT', filled: '0' } as Order;
    push({ type: 'order', id: 'abc123', order, ended: null });
    push({ type: 'order', id: 'abc123', order: { ...order, filled: '1' }, ended: null });
    expect(detail().pairViews[0]?.orders.map(({ filled }) => filled)).toEqual(['1']);
    push({ type: 'order', id: 'abc123', order, ended: 'filled' });
    expect(detail().pairViews[0]?.orders).toEqual([]);
  });

  test('add journal entries at the top, each once', () => {
    const line = (seq: number) => ({ seq, kind: 'command', data: {} }) as unknown as JournalEntry;
    queries.setQueryData(['journal', 'abc123'], { pages: [{ entries: [line(4)], next: null }], pageParams: [0] });
    push({ type: 'journal', id: 'abc123', entry: line(5) });
    push({ type: 'journal', id: 'abc123', entry: line(5) });
    const journal = queries.getQueryData<{ pages: { entries: JournalEntry[] }[] }>(['journal', 'abc123']);
    expect(journal?.pages[0]?.entries.map(({ seq }) => seq)).toEqual([5, 4]);
  });

  test('keep a limited part of the journal, and its next page begins where it ends', () => {
    const line = (seq: number) => ({ seq, kind: 'command', data: {} }) as unknown as JournalEntry;
    const older = { entries: [line(1)], next: null };
    queries.setQueryData(['journal', 'abc123'], {
      pages: [{ entries: [line(2)], next: 2 }, older],
      pageParams: [0, 2],
    });
    for (let seq = 3; seq < 900; seq += 1) push({ type: 'journal', id: 'abc123', entry: line(seq) });
    const journal = queries.getQueryData<{ pages: { entries: JournalEntry[]; next: number | null }[] }>([
      'journal',
      'abc123',
    ]);
    const [first, ...others] = journal?.pages ?? [];
    expect(others).toEqual([]);
    const seqs = first?.entries.map(({ seq }) => seq) ?? [];
    expect(seqs[0]).toBe(899);
    expect(seqs.length).toBeLessThan(500);
    expect(seqs.every((seq, row) => seq === 899 - row)).toBe(true);
    expect(first?.next).toBe(seqs.at(-1));
  });

  test('drop older pages of trades when there is a new trade', () => {
    const page = (id: string) => ({ trades: [{ id }], next: id });
    queries.setQueryData(['trades', 'abc123'], {
      pages: ['a', 'b', 'c', 'd'].map(page),
      pageParams: ['', 'a', 'b', 'c'],
    });
    push({ type: 'fill', id: 'abc123', fill: {} });
    expect(queries.getQueryData(['trades', 'abc123'])).toEqual({ pages: ['a', 'b'].map(page), pageParams: ['', 'a'] });
  });

  test('never replace a newer price by an older one', () => {
    push({ type: 'quote', id: 'abc123', pair: 'ETH-USDT', at: 5, bid: '2', ask: '3', last: '2.5' });
    push({ type: 'pair', id: 'abc123', view: { ...view('ETH-USDT'), phase: 'bought', last: '2.4', quotedAt: 4 } });
    expect(detail().pairViews[1]).toMatchObject({ phase: 'bought', last: '2.5' });
    push({ type: 'pair', id: 'abc123', view: { ...view('ETH-USDT'), last: '2.6', quotedAt: 6 } });
    expect(detail().pairViews[1]?.last).toBe('2.6');
  });

  test('change nothing for a bot that is not on screen', () => {
    push({ type: 'quote', id: 'zzzzzz', pair: 'ETH-USDT', at: 5, bid: null, ask: null, last: '9' });
    expect(queries.getQueryData(['bot', 'zzzzzz'])).toBeUndefined();
  });
});

describe('a response that is older than a push and arrives after it', () => {
  /** Observes a query. The test controls when each response arrives. */
  function ask(queryKey: QueryKey) {
    const asked: { answer(data: unknown): Promise<unknown>; fail(): Promise<unknown> }[] = [];
    const queryFn = () =>
      new Promise((resolve, reject) => {
        // Resolves after the query has processed the response.
        const taken = (settle: () => void) => new Promise((done) => setImmediate(done, settle()));
        asked.push({
          answer: (data) => taken(() => resolve(data)),
          fail: () => taken(() => reject(new Error('away'))),
        });
      });
    const screen = new QueryObserver(queries, { queryKey, queryFn, retry: false });
    const leave = screen.subscribe(() => {});
    return { asked, leave };
  }

  const order = (clientOrderId: string) => ({ clientOrderId, pair: 'BTC-USDT', filled: '0' }) as Order;
  const orders = () => detail().pairViews[0]?.orders.map(({ clientOrderId }) => clientOrderId);
  const status = (name: string) => ({ ...bot('abc123', name), status: 'finished' });

  test('does not show a finished bot as working, and is not requested again', async () => {
    const { asked } = ask(['bots']);
    push({ type: 'bot', bot: status('Uno') });
    push({ type: 'bot', bot: bot('def456', 'Two') });
    await asked[0]?.answer({ bots: [bot('abc123', 'One')] });
    const list = queries.getQueryData<{ bots: BotSummary[] }>(['bots'])?.bots;
    expect(list?.map(({ name, status }) => `${name} ${status}`)).toEqual(['Two working', 'Uno finished']);
    expect(asked).toHaveLength(1);
  });

  test('does not show a removed bot again, even as the first response', async () => {
    queries.clear();
    const { asked } = ask(['bots']);
    push({ type: 'removed', id: 'abc123' });
    await asked[0]?.answer({ bots: [bot('abc123', 'One'), bot('def456', 'Two')] });
    expect(names()).toEqual(['Two']);
  });

  test('shows neither an order that was filled nor a price that is older', async () => {
    const { asked } = ask(['bot', 'abc123']);
    push({ type: 'order', id: 'abc123', order: order('h1'), ended: null });
    push({ type: 'order', id: 'abc123', order: order('h1'), ended: 'filled' });
    push({ type: 'order', id: 'abc123', order: order('h2'), ended: null });
    for (let at = 1; at <= 50; at += 1)
      push({ type: 'quote', id: 'abc123', pair: 'ETH-USDT', at, bid: '2', ask: '3', last: String(at) });
    const pairViews = [
      { ...view('BTC-USDT'), orders: [order('h1')] },
      { ...view('ETH-USDT'), quotedAt: 40 },
    ];
    await asked[0]?.answer({ ...bot('abc123', 'One'), pairViews });
    expect(orders()).toEqual(['h2']);
    expect(detail().pairViews[1]?.last).toBe('50');
    expect(asked).toHaveLength(1);
  });

  test('keeps its own price when it is newer than the pushed ones', async () => {
    const { asked } = ask(['bot', 'abc123']);
    push({ type: 'quote', id: 'abc123', pair: 'ETH-USDT', at: 5, bid: '2', ask: '3', last: '5' });
    const pairViews = [view('BTC-USDT'), { ...view('ETH-USDT'), last: '6', quotedAt: 6 }];
    await asked[0]?.answer({ ...bot('abc123', 'One'), pairViews });
    expect(detail().pairViews[1]?.last).toBe('6');
  });

  test('keeps entries that were pushed while another page was fetched', async () => {
    const entry = (seq: number) => ({ seq, kind: 'command', data: {} }) as unknown as JournalEntry;
    const first = { entries: [entry(4), entry(3)], next: 3 };
    queries.setQueryData(['journal', 'abc123'], { pages: [first], pageParams: [0] });
    let answer: (page: unknown) => void = () => {};
    const options = {
      queryKey: ['journal', 'abc123'],
      queryFn: () => new Promise((resolve) => (answer = resolve)),
      initialPageParam: 0,
      getNextPageParam: ({ next }: typeof first) => next,
      staleTime: Number.POSITIVE_INFINITY,
    } as unknown as InfiniteQueryObserverOptions;
    const screen = new InfiniteQueryObserver(queries, options);
    screen.subscribe(() => {});
    const more = screen.fetchNextPage();
    push({ type: 'journal', id: 'abc123', entry: entry(5) });
    answer({ entries: [entry(2), entry(1)], next: null });
    await more;
    const journal = queries.getQueryData<{ pages: { entries: JournalEntry[] }[] }>(['journal', 'abc123']);
    expect(journal?.pages.map(({ entries }) => entries.map(({ seq }) => seq))).toEqual([
      [5, 4, 3],
      [2, 1],
    ]);
  });

  test('is requested once more when a push only makes it outdated', async () => {
    const { asked } = ask(['trades', 'abc123', 'BTC-USDT']);
    push({ type: 'fill', id: 'abc123', fill: {} });
    push({ type: 'fill', id: 'abc123', fill: {} });
    expect(asked).toHaveLength(1);
    await asked[0]?.answer({ trades: [], next: null });
    expect(asked).toHaveLength(2);
    await asked[1]?.answer({ trades: [{ id: 'a' }], next: null });
    expect(asked).toHaveLength(2);
    expect(queries.getQueryState(['trades', 'abc123', 'BTC-USDT'])?.isInvalidated).toBe(false);
  });

  test('is marked as outdated when its screen was left meanwhile', async () => {
    const { asked, leave } = ask(['trades', 'abc123', 'BTC-USDT']);
    leave();
    push({ type: 'fill', id: 'abc123', fill: {} });
    await asked[0]?.answer({ trades: [], next: null });
    expect(asked).toHaveLength(1);
    expect(queries.getQueryState(['trades', 'abc123', 'BTC-USDT'])?.isInvalidated).toBe(true);
  });

  test('loses no pushed data when it fails', async () => {
    const { asked } = ask(['bots']);
    push({ type: 'bot', bot: status('Uno') });
    await asked[0]?.fail();
    expect(names()).toEqual(['Uno']);
    const again = queries.refetchQueries({ queryKey: ['bots'] });
    await asked[1]?.answer({ bots: [bot('abc123', 'One')] });
    await again;
    // This response was requested after the push.
    expect(names()).toEqual(['One']);
  });

  test('of a command is overridden by later pushes, and overrides earlier requests', async () => {
    const { asked } = ask(['bot', 'abc123']);
    let answer: (bot: BotDetail) => void = () => {};
    const started = runBotCommand(
      queries,
      () => new Promise<BotDetail>((resolve) => (answer = resolve)),
      (bot) => [bot],
    );
    push({ type: 'bot', bot: status('Uno') });
    answer({ ...bot('abc123', 'Uno'), startedAt: 7 });
    await started;
    expect(detail()).toMatchObject({ status: 'finished', startedAt: 7 });
    await asked[0]?.answer(bot('abc123', 'One'));
    expect(detail()).toMatchObject({ status: 'finished', startedAt: 7 });
  });

  test.each([
    ['first', [0, 1]],
    ['last', [1, 0]],
  ])('of the later of two commands is shown, even when the other arrives %s', async (_, order) => {
    const answers: ((bot: BotDetail) => void)[] = [];
    const sent = [0, 1].map(() =>
      runBotCommand(queries, () => new Promise<BotDetail>((resolve) => void answers.push(resolve))),
    );
    for (const which of order) {
      answers[which]?.(bot('abc123', which === 0 ? 'Earlier' : 'Later'));
      await sent[which];
    }
    expect(detail().name).toBe('Later');
  });

  test('of a host that was away causes new requests when the host is back meanwhile', async () => {
    queries.clear();
    const { asked } = ask(['bots']);
    const alarms = ask(['alarms']);
    const up = { id: 'host01', name: 'Attic', state: 'up' };
    push({ type: 'host', host: up });
    await alarms.asked[0]?.answer({ bots: [] });
    await asked[0]?.answer({ bots: [], hosts: [{ ...up, state: 'away' }] });
    expect(asked).toHaveLength(2);
    expect(alarms.asked).toHaveLength(2);
    await asked[1]?.answer({ bots: [], hosts: [up] });
    expect(asked).toHaveLength(2);
  });
});

describe('missed pushes', () => {
  function follow() {
    const listeners: { status?: (status: StreamStatus) => void; watch?: (id: string) => void } & {
      message: ((message: StreamMessage) => void)[];
    } = { message: [] };
    const stream: Pick<Stream, 'onMessage' | 'onStatus' | 'onWatch'> = {
      onMessage(received) {
        listeners.message.push(received);
        return () => {};
      },
      onStatus(received) {
        listeners.status = received;
        return () => {};
      },
      onWatch(received) {
        listeners.watch = received;
        return () => {};
      },
    };
    followStream(stream as Stream, queries);
    return listeners;
  }
  const isOld = (...key: string[]) => queries.getQueryState(key)?.isInvalidated;

  test('of an unwatched bot are requested when it is watched again', () => {
    const listeners = follow();
    for (const id of ['abc123', 'def456']) queries.setQueryData(['trades', id], { pages: [], pageParams: [] });
    listeners.watch?.('abc123');
    expect([isOld('trades', 'abc123'), isOld('trades', 'def456'), isOld('bots')]).toEqual([true, false, false]);
  });

  test('between a request and the start of its watch are requested once at the start', () => {
    const listeners = follow();
    const pushDetail = () => {
      for (const received of listeners.message)
        received({ type: 'detail', bot: { id: 'abc123', pairViews: [] } } as never);
    };
    queries.setQueryData(['trades', 'abc123'], { pages: [], pageParams: [] });
    pushDetail();
    expect(isOld('trades', 'abc123')).toBe(false);
    listeners.watch?.('abc123');
    queries.setQueryData(['trades', 'abc123'], { pages: [], pageParams: [] });
    pushDetail();
    expect(isOld('trades', 'abc123')).toBe(true);
    queries.setQueryData(['trades', 'abc123'], { pages: [], pageParams: [] });
    pushDetail();
    expect(isOld('trades', 'abc123')).toBe(false);
  });

  test('during a lost connection are requested, even without earlier data', async () => {
    const listeners = follow();
    let times = 0;
    let answer: (data: unknown) => void = () => {};
    const queryFn = () => {
      times += 1;
      return new Promise((resolve) => (answer = resolve));
    };
    new QueryObserver(queries, { queryKey: ['alarms'], queryFn }).subscribe(() => {});
    listeners.status?.('lost');
    listeners.status?.('open');
    answer({ bots: [] });
    await vi.waitFor(() => expect(times).toBe(2));
  });

  test('leave no gap in the journal', async () => {
    const line = (seq: number) => ({ seq, kind: 'command', data: {} }) as unknown as JournalEntry;
    queries.setQueryData(['journal', 'abc123'], { pages: [{ entries: [line(4)], next: null }], pageParams: [0] });
    push({ type: 'journal', id: 'abc123', entry: line(5) });
    await Promise.resolve();
    expect(isOld('journal', 'abc123')).toBe(false);
    push({ type: 'journal', id: 'abc123', entry: line(7) });
    await Promise.resolve();
    expect(isOld('journal', 'abc123')).toBe(true);
  });
});

describe('quotes', () => {
  const quote = (pair: string, last: string) => ({ type: 'quote', id: 'abc123', pair, last }) as StreamMessage;
  const begin = () => {
    const applied: StreamMessage[] = [];
    const frames: (() => void)[] = [];
    const take = gatherPairUpdates(
      (message) => applied.push(message),
      (flush) => frames.push(flush),
    );
    return { applied, frames, take };
  };

  test('only the newest of each pair is applied, at the next frame', () => {
    const { applied, frames, take } = begin();
    for (let n = 1; n <= 100; n += 1) {
      take(quote('BTC-USDT', String(n)));
      take(quote('ETH-USDT', String(n)));
    }
    expect(applied).toEqual([]);
    expect(frames).toHaveLength(1);
    frames[0]?.();
    expect(applied).toEqual([quote('BTC-USDT', '100'), quote('ETH-USDT', '100')]);
    take(quote('BTC-USDT', '101'));
    expect(frames).toHaveLength(2);
  });

  test('the newest view of a pair waits beside its newest quote', () => {
    const { applied, frames, take } = begin();
    const paired = (last: string) =>
      ({ type: 'pair', id: 'abc123', view: { ...view('BTC-USDT'), last } }) as StreamMessage;
    for (const last of ['1', '2']) {
      take(paired(last));
      take(quote('BTC-USDT', last));
    }
    expect([applied, frames.length]).toEqual([[], 1]);
    frames[0]?.();
    expect(applied).toEqual([paired('2'), quote('BTC-USDT', '2')]);
  });

  test('everything else is applied at once, after the quotes before it', () => {
    const { applied, frames, take } = begin();
    const removed: StreamMessage = { type: 'removed', id: 'abc123' };
    take(quote('BTC-USDT', '1'));
    take(removed);
    expect(applied).toEqual([quote('BTC-USDT', '1'), removed]);
    frames[0]?.();
    expect(applied).toHaveLength(2);
  });

  test('wait for their frame when a candle comes', () => {
    const { applied, frames, take } = begin();
    const candle = { type: 'candle', id: 'abc123', pair: 'ETH-USDT', closed: false } as StreamMessage;
    take(quote('BTC-USDT', '1'));
    take(candle);
    expect(applied).toEqual([candle]);
    frames[0]?.();
    expect(applied).toEqual([candle, quote('BTC-USDT', '1')]);
  });

  test('are drawn at once after a pause, and then at most four times a second', () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const drawn: number[] = [];
    const began = performance.now();
    const later = spacedFrames((draw) => setTimeout(draw, 16));
    const again = () =>
      later(() => {
        drawn.push(performance.now() - began);
        if (drawn.length < 3) again();
      });
    vi.advanceTimersByTime(1_000);
    again();
    vi.advanceTimersByTime(1_000);
    expect(drawn).toEqual([1_016, 1_282, 1_548]);
  });
});
