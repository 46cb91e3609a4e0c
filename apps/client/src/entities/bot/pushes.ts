import type { BotDetail } from '@heron/contract/bots/entities.ts';
import { hashKey, partialMatchKey, type Query, type QueryClient, type QueryKey } from '@tanstack/react-query';

type Change = (data: unknown) => unknown;

/** Collects changes that arrive during a request. The server may have read its response before them. */
interface Meanwhile {
  pushed: { readonly key: QueryKey; readonly change: Change }[];
  /** Keys that are fetched again after the response. */
  renewed: QueryKey[];
}

/** Changes during the fetch of each query. */
const fetches = new WeakMap<Query, Meanwhile>();
/** Changes during commands whose response contains a bot. */
const commands = new WeakMap<QueryClient, Set<Meanwhile>>();

/**
 * Changes the cached data of a key. The response of a pending request may be older, so the change is applied to it too,
 * without another request.
 *
 * @param change gets undefined where nothing is cached, and returns undefined to cache nothing
 * @param spared commands whose response stays unchanged
 */
export function pushInto<Data>(
  queries: QueryClient,
  key: QueryKey,
  change: (data: Data | undefined) => Data | undefined,
  spared: readonly Meanwhile[] = [],
): void {
  const pushed = { key, change: change as Change };
  const query = queries.getQueryCache().find({ queryKey: key, exact: true });
  if (query?.state.fetchStatus === 'fetching') meanwhileOf(queries, query).pushed.push(pushed);
  for (const command of commands.get(queries) ?? []) if (!spared.includes(command)) command.pushed.push(pushed);
  queries.setQueryData<Data>(key, change);
}

/**
 * Fetches the cached data of a key, and of longer keys, again. Invalidation alone is not enough where nothing was cached
 * before or no screen shows it: it would accept the response of a pending fetch.
 */
export function renew(queries: QueryClient, key: QueryKey): void {
  for (const query of queries.getQueryCache().findAll({ queryKey: key, fetchStatus: 'fetching' })) {
    const isRestarted = query.isActive() && query.state.data !== undefined;
    // The server reads the new response after all changes pushed so far.
    if (isRestarted) fetches.get(query)?.pushed.splice(0);
    else meanwhileOf(queries, query).renewed.push(query.queryKey);
  }
  for (const command of commands.get(queries) ?? []) command.renewed.push(key);
  void queries.invalidateQueries({ queryKey: key });
}

/**
 * Executes a command and caches the bots in its response, with the changes pushed since the request applied to them.
 *
 * @throws what `command` throws
 */
export async function runBotCommand<Answer>(
  queries: QueryClient,
  command: () => Promise<Answer>,
  botsIn: (answer: Answer) => readonly BotDetail[],
): Promise<Answer>;
export async function runBotCommand(queries: QueryClient, command: () => Promise<BotDetail>): Promise<BotDetail>;
export async function runBotCommand(
  queries: QueryClient,
  command: () => Promise<unknown>,
  botsIn = (answer: unknown) => [answer as BotDetail] as readonly BotDetail[],
): Promise<unknown> {
  const meanwhile: Meanwhile = { pushed: [], renewed: [] };
  const all = commands.get(queries) ?? new Set();
  commands.set(queries, all.add(meanwhile));
  let answer: unknown;
  let later: readonly Meanwhile[] = [];
  try {
    answer = await command();
  } finally {
    later = [...all].slice([...all].indexOf(meanwhile) + 1);
    all.delete(meanwhile);
  }
  for (const bot of botsIn(answer)) {
    const key = ['bot', bot.id];
    const changes = meanwhile.pushed.filter((pushed) => hashKey(pushed.key) === hashKey(key));
    const newest = changes.reduce<unknown>((data, { change }) => change(data), bot);
    // An earlier fetch or command has an older response; a later command may have a newer one.
    pushInto(queries, key, () => newest, later);
    if (meanwhile.renewed.some((renewed) => partialMatchKey(key, renewed))) renew(queries, key);
  }
  return answer;
}

/** Returns the changes during the fetch of a query, and applies them to its response. */
function meanwhileOf(queries: QueryClient, query: Query): Meanwhile {
  const known = fetches.get(query);
  if (known) return known;
  const meanwhile: Meanwhile = { pushed: [], renewed: [] };
  fetches.set(query, meanwhile);
  const leave = queries.getQueryCache().subscribe((event) => {
    if (event.query !== query || (event.type !== 'updated' && event.type !== 'removed')) return;
    const isAnswer = event.type === 'updated' && event.action.type === 'success' && !event.action.manual;
    if (!isAnswer && event.type === 'updated' && query.state.fetchStatus === 'fetching') return;
    leave();
    fetches.delete(query);
    // A failed or cancelled fetch has overwritten nothing.
    if (!isAnswer) return;
    for (const { change } of meanwhile.pushed) queries.setQueryData(query.queryKey, change);
    if (meanwhile.renewed.length > 0) void queries.invalidateQueries({ queryKey: query.queryKey, exact: true });
  });
  return meanwhile;
}
