import { botCalls } from '@heron/contract/bots/calls.ts';
import { hostOf, idThere, type PairedState } from '@heron/contract/bots/pairedHosts.ts';
import { CallError, type Language } from '@heron/contract/http/errors.ts';
import type { z } from 'zod';
import { parse } from '../../gateway/parse.ts';
import { type HostConnections, HostProblem } from './hostConnections.ts';
import type { PairedHostRecord } from './pairedHosts.ts';
import { translateResponse } from './translateIds.ts';

/** A host that takes longer is shown as away, our own too. One of which a worker hangs takes two seconds. */
const LIST_MS = 4_000;
/** The kill switch waits for exchanges, but no longer than an app does for its answer. Our own bot host too, beside others. */
const HALT_MS = 12_000;
const MOST_BYTES = 4 * 1_048_576;

type Calls = typeof botCalls;
type Answer<N extends keyof Calls> = z.output<Calls[N]['response']>;

/** Calls that are about all bots of a person, wherever those run. */
export const MERGED = ['list', 'profits', 'alarms', 'notifications', 'markNotificationsSeen', 'haltAll'] as const;
type Merged = (typeof MERGED)[number];

/** What these calls are given. */
const WISHES = {
  notifications: declared(botCalls.notifications.query),
  markNotificationsSeen: declared(botCalls.markNotificationsSeen.body),
  haltAll: declared(botCalls.haltAll.body),
};

/** A part that a call of the contract has, which its type only says that it may have. */
function declared<Schema>(schema: Schema | undefined): Schema {
  if (schema === undefined) throw new Error('the contract declares no such part');
  return schema;
}

/** For whom, and of whom, is asked. */
export interface MergedCallDeps {
  readonly lines: HostConnections;
  readonly hosts: readonly PairedHostRecord[];
  /** Hosts that only the kill switch asks: it does nothing but lower a risk. */
  readonly disabled: readonly PairedHostRecord[];
  readonly language: Language;
  /** Asks this Heron's own bot host. */
  own(method: string, path: string, body?: object, timeoutMs?: number): Promise<unknown>;
}

/** What came of asking a paired bot host. */
type Told<N extends keyof Calls> = { readonly host: PairedHostRecord } & (
  | { readonly state: 'up'; readonly answer: Answer<N> }
  | { readonly state: PairedState['state'] & HostProblem['state']; readonly answer: null }
);

async function askOne<N extends keyof Calls>(
  { lines, language }: MergedCallDeps,
  host: PairedHostRecord,
  name: N,
  given: { query?: URLSearchParams; body?: object; timeoutMs?: number },
): Promise<Told<N>> {
  const { method, path } = botCalls[name];
  const body = given.body === undefined ? undefined : JSON.stringify(given.body);
  try {
    const answer = await lines.requestJson(
      host.endpoint,
      {
        ...{ method, path: given.query?.size ? `${path}?${given.query}` : path, body },
        timeoutMs: given.timeoutMs ?? LIST_MS,
        headers: {
          'x-heron-language': language,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
      },
      MOST_BYTES,
    );
    if (answer.status !== 200) throw new HostProblem('differs');
    return { host, state: 'up', answer: translateResponse(host.id, name, answer.body) };
  } catch (error) {
    // Whatever it is: one host keeps no other from answering.
    return { host, state: error instanceof HostProblem ? error.state : 'differs', answer: null };
  }
}

/**
 * Asks all hosts at once, this Heron's own among them: what one of them does not do keeps no other from doing it. Our own is
 * null when it is away.
 */
async function askAll<N extends Merged>(
  ground: MergedCallDeps,
  name: N,
  given: { query?: URLSearchParams; body?: object; timeoutMs?: number } = {},
): Promise<{ own: Answer<N> | null; others: Told<N>[] }> {
  const { method, path } = botCalls[name];
  const asked = given.query?.size ? `${path}?${given.query}` : path;
  const [own, ...others] = await Promise.all([
    orAway(ground.own(method, asked, given.body, given.timeoutMs ?? LIST_MS) as Promise<Answer<N>>),
    ...ground.hosts.map((host) => askOne(ground, host, name, given)),
  ]);
  // With nobody there is nothing to show; but what has been done is always told.
  return { own: name === 'haltAll' ? own : orNobody(own, others), others };
}

/** What our own bot host answers, which speaks as the contract has it; null while it is away. */
async function orAway<Told>(answer: Promise<Told>): Promise<Told | null> {
  return answer.catch((error: unknown) => {
    if (error instanceof CallError && error.code === 'unavailable') return null;
    throw error;
  });
}

/** @throws CallError `unavailable` when neither our own nor any other has answered */
function orNobody<Told>(own: Told | null, others: readonly { readonly state: PairedState['state'] }[]): Told | null {
  if (own === null && !others.some(({ state }) => state === 'up')) throw new CallError('unavailable');
  return own;
}

const stateOf = ({ host: { id, name }, state }: Told<keyof Calls>): PairedState => ({ id, name, state });

/**
 * Answers a call about all bots of a person.
 *
 * @param query as it arrived @param body as it arrived, read as JSON
 */
export async function handleMergedCall(
  name: Merged,
  ground: MergedCallDeps,
  { query, body }: { query: URLSearchParams; body: unknown },
): Promise<unknown> {
  switch (name) {
    case 'list': {
      const { own, others } = await askAll(ground, name);
      const bots = botsOf(own, others).sort((a, b) => b.createdAt - a.createdAt);
      const disabled = ground.disabled.map(({ id, name: title }) => ({ id, name: title, state: 'disabled' as const }));
      return { bots, hosts: [...others.map(stateOf), ...disabled], ...(own === null && { ownAway: true }) };
    }
    case 'profits': {
      const { own, others } = await askAll(ground, name, { query });
      return { bots: botsOf(own, others) };
    }
    case 'alarms': {
      const { own, others } = await askAll(ground, name);
      return { bots: botsOf(own, others) };
    }
    case 'haltAll': {
      const wish = parse(WISHES.haltAll, body, ground.language);
      const all = { ...ground, hosts: [...ground.hosts, ...ground.disabled] };
      const { own, others } = await askAll(all, name, { body: wish, timeoutMs: HALT_MS });
      const silent = others.filter(({ answer }) => answer === null);
      return {
        bots: botsOf(own, others),
        ...(own === null && { ownAway: true }),
        away: silent.map(({ host: { id, name: title } }) => ({ id, name: title })),
      };
    }
    case 'notifications':
      return noticePage(ground, query);
    case 'markNotificationsSeen':
      return see(ground, parse(WISHES.markNotificationsSeen, body, ground.language));
  }
}

async function see(ground: MergedCallDeps, wish: z.output<typeof WISHES.markNotificationsSeen>) {
  if ('all' in wish) {
    const { own, others } = await askAll(ground, 'markNotificationsSeen', { body: wish });
    return { unseen: sum(own, others) };
  }
  const by = Map.groupBy(wish.ids, hostOf);
  const count = new URLSearchParams({ limit: '1' });
  const mine = by.get(null);
  const { path } = botCalls.notifications;
  const own =
    mine === undefined
      ? await orAway(ground.own('GET', `${path}?${count}`, undefined, LIST_MS) as Promise<Answer<'notifications'>>)
      : ((await ground.own(
          'POST',
          botCalls.markNotificationsSeen.path,
          { ids: mine },
          LIST_MS,
        )) as Answer<'markNotificationsSeen'>);
  const others = await Promise.all(
    ground.hosts.map((host) => {
      const ids = by.get(host.id)?.map(idThere);
      return ids === undefined
        ? askOne(ground, host, 'notifications', { query: count })
        : askOne(ground, host, 'markNotificationsSeen', { body: { ids } });
    }),
  );
  return { unseen: sum(own, others) };
}

function botsOf<Bot>(own: { bots: Bot[] } | null, others: readonly { answer: { bots: Bot[] } | null }[]): Bot[] {
  return [own, ...others.map(({ answer }) => answer)].flatMap((told) => told?.bots ?? []);
}

function sum(own: { unseen: number } | null, others: readonly { answer: { unseen: number } | null }[]): number {
  return others.reduce((all, { answer }) => all + (answer?.unseen ?? 0), own?.unseen ?? 0);
}

/** Where a page of notices ended: time, host and notice. */
const CURSOR = /^(\d{1,15})\.(?:([a-z0-9]{4})~)?([a-z0-9]{6}\.\d{1,15})$/;

/** Newest first; of one moment by host, then as the host has them. */
async function noticePage(ground: MergedCallDeps, query: URLSearchParams): Promise<Answer<'notifications'>> {
  const { limit, before, only } = parse(WISHES.notifications, Object.fromEntries(query), ground.language);
  const cursor = before === undefined ? null : CURSOR.exec(before);
  if (before !== undefined && cursor === null) throw new CallError('invalid_request', { reason: 'before' });
  const queryFor = (host: string | null) => {
    const asked = new URLSearchParams({ limit: String(limit), ...(only && { only }) });
    if (cursor === null) return asked;
    const [, at = '', of, notice = ''] = cursor;
    const order = (host ?? '').localeCompare(of ?? '', 'en');
    // Hosts behind the one where the page ended still have those of its last moment.
    asked.set('before', order === 0 ? `${at}.${notice}` : `${order < 0 ? Number(at) + 1 : at}.000000.0`);
    return asked;
  };
  const { path } = botCalls.notifications;
  const [own, ...others] = await Promise.all([
    orAway(ground.own('GET', `${path}?${queryFor(null)}`, undefined, LIST_MS) as Promise<Answer<'notifications'>>),
    ...ground.hosts.map((host) => askOne(ground, host, 'notifications', { query: queryFor(host.id) })),
  ]);
  const pages = [orNobody(own, others), ...others.map(({ answer }) => answer)].filter((page) => page !== null);
  const all = pages
    .flatMap(({ notices }) => notices.slice(0, limit))
    .sort((a, b) => b.at - a.at || (hostOf(b.id) ?? '').localeCompare(hostOf(a.id) ?? '', 'en'));
  const notices = all.slice(0, limit);
  const last = notices.at(-1);
  const isMore = all.length > limit || pages.some(({ next }) => next !== null);
  return { notices, next: isMore && last ? `${last.at}.${last.id}` : null, unseen: sum(own, others) };
}
