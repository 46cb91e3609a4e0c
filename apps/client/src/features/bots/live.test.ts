import type { BotDetail, BotSummary, JournalEntry, Order, PairView } from '@heron/contract/bots/entities.ts';
import type { StreamMessage } from '@heron/contract/bots/stream.ts';
import { QueryClient } from '@tanstack/react-query';
import { beforeEach, describe, expect, test } from 'vitest';
import { applyMessage } from './live.ts';

const view = (pair: string) => ({ pair, last: '1', orders: [] }) as unknown as PairView;
const bot = (id: string, name: string) =>
  ({ id, name, pairViews: [view('BTC-USDT'), view('ETH-USDT')] }) as unknown as BotDetail;

let queries: QueryClient;
const tell = (message: unknown) => applyMessage(queries, message as StreamMessage);
const detail = () => queries.getQueryData<BotDetail>(['bot', 'abc123']) as BotDetail;
const names = () => queries.getQueryData<{ bots: BotSummary[] }>(['bots'])?.bots.map(({ name }) => name);

beforeEach(() => {
  queries = new QueryClient();
  queries.setQueryData(['bots'], { bots: [bot('abc123', 'One')] });
  queries.setQueryData(['bot', 'abc123'], bot('abc123', 'One'));
});

describe('what the bot host pushes', () => {
  test('renames, adds and removes bots in the list', () => {
    tell({ type: 'bot', bot: bot('abc123', 'Uno') });
    tell({ type: 'bot', bot: bot('def456', 'Two') });
    expect(names()).toEqual(['Two', 'Uno']);
    tell({ type: 'removed', id: 'abc123' });
    expect(names()).toEqual(['Two']);
  });

  test('changes the price of one pair only', () => {
    tell({ type: 'quote', id: 'abc123', pair: 'ETH-USDT', at: 5, bid: '2', ask: '3', last: '2.5' });
    expect(detail().pairViews.map(({ last }) => last)).toEqual(['1', '2.5']);
  });

  test('shows an order while it lives', () => {
    const order = { clientOrderId: 'h1', pair: 'BTC-USDT', filled: '0' } as Order;
    tell({ type: 'order', id: 'abc123', order, ended: null });
    tell({ type: 'order', id: 'abc123', order: { ...order, filled: '1' }, ended: null });
    expect(detail().pairViews[0]?.orders.map(({ filled }) => filled)).toEqual(['1']);
    tell({ type: 'order', id: 'abc123', order, ended: 'filled' });
    expect(detail().pairViews[0]?.orders).toEqual([]);
  });

  test('adds journal lines on top, each once', () => {
    const line = (seq: number) => ({ seq, kind: 'command', data: {} }) as unknown as JournalEntry;
    queries.setQueryData(['journal', 'abc123'], { pages: [{ entries: [line(4)], next: null }], pageParams: [0] });
    tell({ type: 'journal', id: 'abc123', entry: line(5) });
    tell({ type: 'journal', id: 'abc123', entry: line(5) });
    const journal = queries.getQueryData<{ pages: { entries: JournalEntry[] }[] }>(['journal', 'abc123']);
    expect(journal?.pages[0]?.entries.map(({ seq }) => seq)).toEqual([5, 4]);
  });

  test('of a bot that is not on screen changes nothing', () => {
    tell({ type: 'quote', id: 'zzzzzz', pair: 'ETH-USDT', at: 5, bid: null, ask: null, last: '9' });
    expect(queries.getQueryData(['bot', 'zzzzzz'])).toBeUndefined();
  });
});
