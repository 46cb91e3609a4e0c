import { CallError } from '@heron/contract/http/errors.ts';
import { describe, expect, test } from 'vitest';
import type { CommandingChat } from '../../gateway/chatCommands.ts';
import { type ChatBots, createChatCommands } from './chatCommands.ts';

const performance = {
  ...{ currency: 'USDT', startCapital: '1000', totalCapital: '1010.5', cash: '500', available: '500', realised: '8' },
  ...{ unrealised: '2.5', unrealisedPercent: 0.25, dust: '0', profitPercent: 1.05, trades: 3, wins: 2, losses: 1 },
  ...{ winRatePercent: 66, benchmarkPercent: null, maxDrawdownPercent: 1 },
};
const bot = (id: string, name: string, more: object = {}) => ({
  ...{ id, name, venue: 'binance', mode: 'live', status: 'working', draining: false, problem: null, period: '1h' },
  ...{
    strategy: { id: 'macd', params: {} },
    pairs: ['BTC-USDT'],
    openPairs: 1,
    performance,
    createdAt: 1,
    startedAt: 2,
  },
  ...more,
});

/** Commands of one chat, with the calls that they make and a clock. */
function chat(right: CommandingChat['right'], language: 'zh' | 'en' = 'en') {
  const calls: string[] = [];
  const at = { now: 1_000_000 };
  const hosts: { bots: object[]; hosts?: object[] } = {
    bots: [bot('abc123', 'Trend'), bot('host~def456', 'Far', { mode: 'paper', status: 'finished' })],
  };
  const bots: ChatBots = {
    list: async () => hosts,
    stop: async (_of, id) => void calls.push(`stop ${id}`),
    halt: async (_of, close) => {
      calls.push(`halt ${close}`);
      return { bots: [{ confirmed: true }, { confirmed: false }], away: [{ name: 'Cellar' }] };
    },
  };
  const commands = createChatCommands(bots, () => at.now);
  const of = { chat: 'c1', userId: 1, language, right };
  const write = (text: string) => commands.answer(of, text);
  return { write, calls, at, hosts, bots, other: (text: string) => commands.answer({ ...of, chat: 'c2' }, text) };
}
const codeIn = (reply: string | null) => /\/confirm_(\d{4})/.exec(reply ?? '')?.[1] ?? '';

describe('commands of a chat', () => {
  test('list bots with their state and result, and sum results', async () => {
    const { write } = chat('stop');
    const status = await write('/status');
    expect(status).toContain('Trend\nRunning · Live · binance\nEquity 1010.50 USDT (+1.05%)');
    expect(status).toContain('Stop: /stop_abc123');
    expect(status).toContain('Far\nNot running · Paper · binance');
    expect(status).not.toContain('/stop_host_def456');
    expect(await write('/profit')).toBe(
      [
        'Live USDT: equity 1010.50, result +10.50 (+1.05%), bots 1',
        'Paper USDT: equity 1010.50, result +10.50 (+1.05%), bots 1',
      ].join('\n'),
    );
    expect(await chat('read', 'zh').write('/status')).toContain('运行中 · 实盘');
  });

  test('say when a host is missing, and why nothing was done', async () => {
    const { write, hosts, bots } = chat('stop');
    hosts.hosts = [{ id: 'host', name: 'Cellar', state: 'away' }];
    expect(await write('/bots')).toContain('Some bot hosts do not respond');
    bots.list = async () => Promise.reject(new CallError('unavailable'));
    expect(await write('/status')).toBe('The bot host does not respond. Try again shortly.');
  });

  test('stop a bot, on any host, only after its code, and once', async () => {
    const { write, calls } = chat('stop');
    const asked = await write('/stop_host_def456');
    expect([asked?.startsWith('Stop “Far”?'), calls]).toEqual([true, []]);
    const confirmation = `/confirm_${codeIn(asked)}`;
    expect(await write(confirmation)).toBe('“Far” is stopped.');
    expect(await write(confirmation)).toBe('There is nothing to confirm, or it has expired. Send the command again.');
    expect(calls).toEqual(['stop host~def456']);
  });

  test('use the kill switch only after its code', async () => {
    const { write, calls } = chat('stop');
    const code = codeIn(await write('/halt_close'));
    expect(await write(`/confirm_${code}`)).toBe(
      'Kill switch executed: 2 bots, 1 of them confirmed by the exchange.\nNo response from: Cellar. Their bots may still run; try again.',
    );
    expect(calls).toEqual(['halt true']);
  });

  test('a wrong, an old or a foreign code does nothing', async () => {
    const { write, calls, at, other } = chat('stop');
    const wrong = codeIn(await write('/halt'));
    await write(`/confirm_${wrong === '1234' ? '1235' : '1234'}`);
    await write(`/confirm_${wrong}`);
    const old = codeIn(await write('/halt'));
    at.now += 60_001;
    await write(`/confirm_${old}`);
    const foreign = codeIn(await write('/halt'));
    await other(`/confirm_${foreign}`);
    expect(calls).toEqual([]);
    await write(`/confirm_${foreign}`);
    expect(calls).toEqual(['halt false']);
  });

  test('of a chat that may only read change nothing', async () => {
    const { write, calls } = chat('read');
    for (const text of ['/stop_abc123', '/halt', '/halt_close', '/confirm_1234']) {
      expect(await write(text)).toContain('This chat may only read');
    }
    expect(await write('/status')).not.toContain('/stop_');
    expect(calls).toEqual([]);
  });

  test('ignore what is no command, and more than twenty a minute', async () => {
    const { write, at } = chat('read');
    expect(await write('/nonsense')).toBeNull();
    expect(await write('/status; drop table')).toBeNull();
    const replies: (string | null)[] = [];
    for (let i = 0; i < 30; i++) replies.push(await write('/help'));
    expect(replies.filter((reply) => reply !== null)).toHaveLength(18);
    at.now += 61_000;
    expect(await write('/help')).toContain('/status');
  });
});
