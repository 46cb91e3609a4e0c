import { botCalls } from '@heron/contract/bots/calls.ts';
import { idThere } from '@heron/contract/bots/pairedHosts.ts';
import { TRADES_CSV_PATH } from '@heron/contract/bots/tradesCsv.ts';

/** A request for a paired bot host. */
export interface PairedTarget {
  readonly host: string;
  /** Path and query as the bot host knows them. */
  readonly path: string;
}

const BOT_OF_HOST = /^\/bot\/bots\/([a-z0-9]{4})~/;

/**
 * Returns the paired bot host of a request: the host of its bot, or `?host=`; null for the own bot host.
 *
 * @param requested path and query as they arrived
 */
export function pairedTarget(requested: string): PairedTarget | null {
  const at = requested.indexOf('?');
  const path = (at === -1 ? requested : requested.slice(0, at)).replaceAll(/%7e/gi, '~');
  const query = new URLSearchParams(at === -1 ? '' : requested.slice(at));
  const hostId = query.get('host');
  query.delete('host');
  const bot = query.get('bot');
  const host = BOT_OF_HOST.exec(path)?.[1] ?? hostId ?? hostOfBot(bot);
  if (host === null) return null;
  if (bot !== null) query.set('bot', idThere(bot));
  const before = query.get('before');
  // A position in a list names a notification of the host.
  if (before !== null) query.set('before', before.replace(/^(\d+)\.[a-z0-9]{4}~/, '$1.'));
  const there = path.replace(BOT_OF_HOST, '/bot/bots/');
  return { host, path: query.size > 0 ? `${there}?${query}` : there };
}

/** Returns the host of a bot that the query names. */
function hostOfBot(bot: string | null): string | null {
  return /^([a-z0-9]{4})~/.exec(bot ?? '')?.[1] ?? null;
}

const CALLS = Object.entries(botCalls).map(([name, { method, path }]) => ({
  name: name as keyof typeof botCalls,
  method,
  shape: shapeOf(path),
}));
const TRADES_CSV = shapeOf(TRADES_CSV_PATH);

/** Returns the call of the contract that a request makes, or null. @param path with or without a query */
export function findBotCall(method: string, path: string): keyof typeof botCalls | 'tradesCsv' | null {
  const [only = ''] = path.split('?', 1);
  if (method === 'GET' && TRADES_CSV.test(only)) return 'tradesCsv';
  return CALLS.find((call) => call.method === method && call.shape.test(only))?.name ?? null;
}

function shapeOf(path: string): RegExp {
  return new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/:\w+/g, '[\\w-]+')}$`);
}
