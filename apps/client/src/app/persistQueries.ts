import type { InfiniteData, Query, QueryClient } from '@tanstack/react-query';
import { type OfflineData, type OfflineResponse, readOfflineCache, writeOfflineCache } from '../lib/offlineCache.ts';
import { currentSession, onSession } from '../lib/session.ts';

/** These are the first parts of the stored query keys. For `bot`, `trades` and `journal` the second part is the bot. */
const LISTS = new Set<unknown>(['bots', 'profits']);
const BOT_DATA = new Set<unknown>(['bot', 'trades', 'journal']);
/** The cache holds the pages of this many bots, the most recently viewed ones. */
const MAX_BOTS = 5;
/**
 * Waits in ms before a write: results that arrive together are stored in one write, and stream updates at most once per
 * pause.
 */
const GATHER_MS = 200;
const PAUSE_MS = 2_000;

const isStored = ({ queryKey: [kind, ...rest] }: Query) => LISTS.has(kind) || (BOT_DATA.has(kind) && rest.length === 1);

/** Stores the data of the screens on this device while somebody is signed in. */
export function persistQueries(queries: QueryClient): void {
  // Queries that have left the memory cache stay in the offline cache.
  const answers = new Map<string, OfflineResponse>();
  let timer: ReturnType<typeof setTimeout> | null = null;
  let written = 0;

  // A write before this read would discard the data of earlier visits.
  const earlier = readOfflineCache().then((stored) => {
    if (currentSession().state !== 'member') return;
    for (const answer of stored?.answers ?? []) {
      const name = JSON.stringify(answer.key);
      if (!answers.has(name)) answers.set(name, answer);
    }
  });

  async function write() {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    await earlier;
    const session = currentSession();
    if (session.state !== 'member' || session.isFromCache) return;
    for (const query of queries.getQueryCache().getAll().filter(isStored)) {
      const { data, dataUpdatedAt: at } = query.state;
      if (data !== undefined)
        answers.set(JSON.stringify(query.queryKey), { key: query.queryKey, data: short(data), at });
    }
    const chosen = worthStoring([...answers.values()]);
    answers.clear();
    for (const answer of chosen) answers.set(JSON.stringify(answer.key), answer);
    written = Date.now();
    void writeOfflineCache({ user: session.user, answers: chosen });
  }

  queries.getQueryCache().subscribe((event) => {
    if (event.type !== 'updated' || event.action.type !== 'success' || !isStored(event.query)) return;
    timer ??= setTimeout(() => void write(), Math.max(GATHER_MS, written + PAUSE_MS - Date.now()));
  });
  onSession((now) => {
    if (now.state === 'member') return;
    answers.clear();
    if (timer !== null) clearTimeout(timer);
    timer = null;
  });
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden' && timer !== null) void write();
  });
}

/** Loads the stored data into the query cache with their original times. */
export function showOfflineData(queries: QueryClient, { answers }: OfflineData): void {
  for (const { key, data, at } of answers) queries.setQueryData(key, data, { updatedAt: at });
}

/** Keeps only the first page of a long list. The rest is fetched when it is needed. */
function short(data: unknown): unknown {
  const { pages, pageParams } = data as Partial<InfiniteData<unknown>>;
  return pages && pageParams ? { pages: pages.slice(0, 1), pageParams: pageParams.slice(0, 1) } : data;
}

/** Returns the lists, and the data of the most recently viewed bots that still exist. */
export function worthStoring(answers: readonly OfflineResponse[]): OfflineResponse[] {
  const newestFirst = [...answers].sort((a, b) => b.at - a.at);
  const list = newestFirst.find(({ key }) => key[0] === 'bots');
  const listed = (list?.data as { bots: { id: string }[] } | undefined)?.bots;
  // A list older than the page may have been requested before the bot was created.
  const isThere = ({ key: [, id], at }: OfflineResponse) =>
    !list || at > list.at || listed?.some((bot) => bot.id === id);
  const bots = newestFirst
    .filter((answer) => answer.key[0] === 'bot' && isThere(answer))
    .slice(0, MAX_BOTS)
    .map(({ key }) => key[1]);
  // The key of `profits` contains the day.
  const profits = newestFirst.find(({ key }) => key[0] === 'profits');
  return newestFirst.filter((answer) => {
    const [kind, id] = answer.key;
    return BOT_DATA.has(kind) ? bots.includes(id) : kind !== 'profits' || answer === profits;
  });
}
