import { botCalls } from '@heron/contract/bots/calls.ts';
import { mergeGroups } from '@heron/contract/bots/mergeGroups.ts';
import { hostOf, idThere, type PairedState } from '@heron/contract/bots/pairedHosts.ts';
import { CallError, type Language } from '@heron/contract/http/errors.ts';
import type { z } from 'zod';
import { parse } from '../../gateway/parse.ts';
import { type HostConnections, HostProblem } from './hostConnections.ts';
import type { PairedHostRecord } from './pairedHosts.ts';
import { translateResponse } from './translateIds.ts';

/** A slower host, including the own one, is shown as away. A host with a hanging worker takes two seconds. */
const LIST_MS = 4_000;
/** The kill switch waits for exchanges, but not longer than the app waits for its response. */
const HALT_MS = 12_000;
const MAX_BYTES = 4 * 1_048_576;

type Calls = typeof botCalls;
type Answer<N extends keyof Calls> = z.output<Calls[N]['response']>;

/** Calls about all bots of a user, on all hosts. */
export const MERGED = [
  'list',
  'profits',
  'portfolio',
  'alarms',
  'notifications',
  'markNotificationsSeen',
  'haltAll',
] as const;
type Merged = (typeof MERGED)[number];

/** Schemas of the parameters. */
const PARAMETERS = {
  notifications: declared(botCalls.notifications.query),
  markNotificationsSeen: declared(botCalls.markNotificationsSeen.body),
  haltAll: declared(botCalls.haltAll.body),
};

/** Returns a part of a call that its type declares as optional. */
function declared<Schema>(schema: Schema | undefined): Schema {
  if (schema === undefined) throw new Error('the contract declares no such part');
  return schema;
}

/** Dependencies of the merged calls of one user. */
export interface MergedCallDeps {
  readonly connections: HostConnections;
  readonly hosts: readonly PairedHostRecord[];
  /** Disabled hosts. Only the kill switch calls them, because it only lowers a risk. */
  readonly disabled: readonly PairedHostRecord[];
  readonly language: Language;
  /** Calls the own bot host. */
  own(method: string, path: string, body?: object, timeoutMs?: number): Promise<unknown>;
}

/** Result of a call to a paired bot host. */
type HostResult<N extends keyof Calls> = { readonly host: PairedHostRecord } & (
  | { readonly state: 'up'; readonly answer: Answer<N> }
  | { readonly state: PairedState['state'] & HostProblem['state']; readonly answer: null }
);

async function callHost<N extends keyof Calls>(
  { connections, language }: MergedCallDeps,
  host: PairedHostRecord,
  name: N,
  given: { query?: URLSearchParams; body?: object; timeoutMs?: number },
): Promise<HostResult<N>> {
  const { method, path } = botCalls[name];
  const body = given.body === undefined ? undefined : JSON.stringify(given.body);
  try {
    const answer = await connections.requestJson(
      host.endpoint,
      {
        ...{ method, path: given.query?.size ? `${path}?${given.query}` : path, body },
        timeoutMs: given.timeoutMs ?? LIST_MS,
        headers: {
          'x-heron-language': language,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
      },
      MAX_BYTES,
    );
    if (answer.status !== 200) throw new HostProblem('differs');
    return { host, state: 'up', answer: translateResponse(host.id, name, answer.body) };
  } catch (error) {
    // An error of one host does not fail the others.
    return { host, state: error instanceof HostProblem ? error.state : 'differs', answer: null };
  }
}

/**
 * Calls all hosts at once, including the own one, whose result is null when it is away. An error of one host does not
 * fail the others.
 */
async function callAll<N extends Merged>(
  deps: MergedCallDeps,
  name: N,
  given: { query?: URLSearchParams; body?: object; timeoutMs?: number } = {},
): Promise<{ own: Answer<N> | null; others: HostResult<N>[] }> {
  const { method, path } = botCalls[name];
  const target = given.query?.size ? `${path}?${given.query}` : path;
  const [own, ...others] = await Promise.all([
    nullWhenAway(deps.own(method, target, given.body, given.timeoutMs ?? LIST_MS) as Promise<Answer<N>>),
    ...deps.hosts.map((host) => callHost(deps, host, name, given)),
  ]);
  // Without any host there is nothing to show, but results of the kill switch are always shown.
  return { own: name === 'haltAll' ? own : requireAnyResponse(own, others), others };
}

/** Returns the response of the own bot host, which conforms to the contract; null while it is away. */
async function nullWhenAway<Value>(answer: Promise<Value>): Promise<Value | null> {
  return answer.catch((error: unknown) => {
    if (error instanceof CallError && error.code === 'unavailable') return null;
    throw error;
  });
}

/** @throws CallError `unavailable` when neither the own host nor another one has responded */
function requireAnyResponse<Value>(
  own: Value | null,
  others: readonly { readonly state: PairedState['state'] }[],
): Value | null {
  if (own === null && !others.some(({ state }) => state === 'up')) throw new CallError('unavailable');
  return own;
}

const stateOf = ({ host: { id, name }, state }: HostResult<keyof Calls>): PairedState => ({ id, name, state });

/**
 * Handles a call about all bots of a user.
 *
 * @param query as it arrived
 * @param body parsed JSON
 */
export async function handleMergedCall(
  name: Merged,
  deps: MergedCallDeps,
  { query, body }: { query: URLSearchParams; body: unknown },
): Promise<unknown> {
  switch (name) {
    case 'list': {
      const { own, others } = await callAll(deps, name);
      const bots = botsOf(own, others).sort((a, b) => b.createdAt - a.createdAt);
      return { bots, ...statesOf(deps, own, others) };
    }
    case 'portfolio': {
      const { own, others } = await callAll(deps, name, { query });
      const all = [own, ...others.map(({ answer }) => answer)].filter((answer) => answer !== null);
      return {
        groups: mergeGroups(all.flatMap(({ groups }) => groups)),
        uncounted: all.flatMap(({ uncounted }) => uncounted),
        ...statesOf(deps, own, others),
      };
    }
    case 'profits': {
      const { own, others } = await callAll(deps, name, { query });
      return { bots: botsOf(own, others) };
    }
    case 'alarms': {
      const { own, others } = await callAll(deps, name);
      return { bots: botsOf(own, others) };
    }
    case 'haltAll': {
      const input = parse(PARAMETERS.haltAll, body, deps.language);
      const all = { ...deps, hosts: [...deps.hosts, ...deps.disabled] };
      const { own, others } = await callAll(all, name, { body: input, timeoutMs: HALT_MS });
      const unreachable = others.filter(({ answer }) => answer === null);
      return {
        bots: botsOf(own, others),
        ...(own === null && { ownAway: true }),
        away: unreachable.map(({ host: { id, name: title } }) => ({ id, name: title })),
      };
    }
    case 'notifications':
      return notificationPage(deps, query);
    case 'markNotificationsSeen':
      return markSeen(deps, parse(PARAMETERS.markNotificationsSeen, body, deps.language));
  }
}

/** Returns the states of all hosts, for a list that lacks the bots of those that are away. */
function statesOf(
  { disabled }: MergedCallDeps,
  own: unknown,
  others: readonly HostResult<keyof Calls>[],
): { hosts: PairedState[]; ownAway?: true } {
  const hosts = disabled.map(({ id, name }) => ({ id, name, state: 'disabled' as const }));
  return { hosts: [...others.map(stateOf), ...hosts], ...(own === null && { ownAway: true }) };
}

async function markSeen(deps: MergedCallDeps, input: z.output<typeof PARAMETERS.markNotificationsSeen>) {
  if ('all' in input) {
    const { own, others } = await callAll(deps, 'markNotificationsSeen', { body: input });
    return { unseen: sum(own, others) };
  }
  const by = Map.groupBy(input.ids, hostOf);
  const count = new URLSearchParams({ limit: '1' });
  const mine = by.get(null);
  const { path } = botCalls.notifications;
  const own =
    mine === undefined
      ? await nullWhenAway(deps.own('GET', `${path}?${count}`, undefined, LIST_MS) as Promise<Answer<'notifications'>>)
      : ((await deps.own(
          'POST',
          botCalls.markNotificationsSeen.path,
          { ids: mine },
          LIST_MS,
        )) as Answer<'markNotificationsSeen'>);
  const others = await Promise.all(
    deps.hosts.map((host) => {
      const ids = by.get(host.id)?.map(idThere);
      return ids === undefined
        ? callHost(deps, host, 'notifications', { query: count })
        : callHost(deps, host, 'markNotificationsSeen', { body: { ids } });
    }),
  );
  return { unseen: sum(own, others) };
}

function botsOf<Bot>(own: { bots: Bot[] } | null, others: readonly { answer: { bots: Bot[] } | null }[]): Bot[] {
  return [own, ...others.map(({ answer }) => answer)].flatMap((response) => response?.bots ?? []);
}

function sum(own: { unseen: number } | null, others: readonly { answer: { unseen: number } | null }[]): number {
  return others.reduce((all, { answer }) => all + (answer?.unseen ?? 0), own?.unseen ?? 0);
}

/** End of a page of notifications: time, host and notification. */
const CURSOR = /^(\d{1,15})\.(?:([a-z0-9]{4})~)?([a-z0-9]{6}\.\d{1,15})$/;

/** Returns notifications, newest first. Those of the same time are ordered by host, then as the host orders them. */
async function notificationPage(deps: MergedCallDeps, query: URLSearchParams): Promise<Answer<'notifications'>> {
  const { limit, before, only } = parse(PARAMETERS.notifications, Object.fromEntries(query), deps.language);
  const cursor = before === undefined ? null : CURSOR.exec(before);
  if (before !== undefined && cursor === null) throw new CallError('invalid_request', { reason: 'before' });
  const queryFor = (host: string | null) => {
    const asked = new URLSearchParams({ limit: String(limit), ...(only && { only }) });
    if (cursor === null) return asked;
    const [, at = '', of, notice = ''] = cursor;
    const order = (host ?? '').localeCompare(of ?? '', 'en');
    // Hosts after the one where the page ended still have notifications of its last time.
    asked.set('before', order === 0 ? `${at}.${notice}` : `${order < 0 ? Number(at) + 1 : at}.000000.0`);
    return asked;
  };
  const { path } = botCalls.notifications;
  const [own, ...others] = await Promise.all([
    nullWhenAway(deps.own('GET', `${path}?${queryFor(null)}`, undefined, LIST_MS) as Promise<Answer<'notifications'>>),
    ...deps.hosts.map((host) => callHost(deps, host, 'notifications', { query: queryFor(host.id) })),
  ]);
  const pages = [requireAnyResponse(own, others), ...others.map(({ answer }) => answer)].filter(
    (page) => page !== null,
  );
  const all = pages
    .flatMap(({ notices }) => notices.slice(0, limit))
    .sort((a, b) => b.at - a.at || (hostOf(b.id) ?? '').localeCompare(hostOf(a.id) ?? '', 'en'));
  const notices = all.slice(0, limit);
  const last = notices.at(-1);
  const isMore = all.length > limit || pages.some(({ next }) => next !== null);
  return { notices, next: isMore && last ? `${last.at}.${last.id}` : null, unseen: sum(own, others) };
}
