import { setTimeout as delay } from 'node:timers/promises';
import type { Text } from '@heron/contract/locales/text.ts';
import type { Database } from '@heron/database/connect.ts';
import { rateWindowOf } from '@heron/exchanges/http/venueBudget.ts';
import { faultText } from '@heron/exchanges/net/faultText.ts';
import { type ExternalVenue, isExternalVenue, VENUE_HOSTS } from '@heron/exchanges/net/hosts.ts';
import type { Pause } from '@heron/exchanges/net/pause.ts';
import { probeVenue, type VenueProbe } from '@heron/exchanges/net/probe.ts';
import type { HostConfig } from '../config.ts';
import type { HostedVenue } from '../store/hosted.ts';
import { readPause, readProxies, routeName, savePause } from '../worker/egressStore.ts';
import { countWeight } from '../worker/sharedCount.ts';

/** Whether market data can be read at a venue, and orders can be sent. */
export interface VenueState {
  /** Market data can be read. Null while the first check is under way. */
  readonly reachable: boolean | null;
  /** Orders can be sent. Null while that is not known. */
  readonly trading: boolean | null;
  /** Describes the fault, such as a clock difference, and its remedy; null without one. */
  readonly problem: Text | null;
  /** The pause that the exchange has demanded; null while it accepts requests. */
  readonly pause: Pause | null;
}

/** Checks venues on demand. A venue that no client shows is not contacted. */
export interface VenueStates {
  /** Returns the newest known state, after waiting a moment for the first one. */
  of(venue: HostedVenue): Promise<VenueState>;
}

/** A state is checked again after this. */
const FRESH_MS = 20_000;
/** A caller waits no longer than this for the first check. */
const CHECK_TIMEOUT_MS = 1_000;
const DEMO_MS = 2_000;
/** The time is read from a host for orders and from one for public data. */
const PROBE_WEIGHT = 2;

const UNKNOWN: VenueState = { reachable: null, trading: null, problem: null, pause: null };
const REACHABLE: VenueState = { reachable: true, trading: true, problem: null, pause: null };
const DEMO_DOWN: VenueState = {
  reachable: false,
  trading: false,
  problem: {
    zh: '演示市场无响应，苍鹭会自动重新启动它。',
    en: 'The demo market does not answer. Heron starts it again by itself.',
  },
  pause: null,
};

interface Check {
  readonly began: number;
  readonly outcome: Promise<VenueState>;
  /** Null until it has ended. */
  known: VenueState | null;
}

/**
 * @param check determines the state of a venue
 * @param now ms of a monotonic clock
 * @param readPause is called each time, because a pause begins and ends between two checks
 */
export function openVenueStates(
  check: (venue: HostedVenue) => Promise<VenueState>,
  now: () => number,
  readPause: (venue: HostedVenue) => Promise<Pause | null> = async () => null,
): VenueStates {
  const checks = new Map<string, Check>();

  function begin(venue: HostedVenue, known: VenueState | null): Check {
    const outcome = check(venue).catch(() => UNKNOWN);
    const begun: Check = { began: now(), outcome, known };
    outcome.then((state) => {
      begun.known = state;
    });
    checks.set(venue.id, begun);
    return begun;
  }

  return {
    async of(venue) {
      const pause = await readPause(venue);
      if (pause !== null) {
        // The state from before the pause is not valid after it.
        checks.delete(venue.id);
        return pausedState(pause);
      }
      const newest = checks.get(venue.id);
      // The database has no pause, so a pause that an earlier check found is over.
      const last = newest?.known?.pause ? undefined : newest;
      const due = last === undefined || now() - last.began > FRESH_MS;
      const current = due ? begin(venue, last?.known ?? null) : last;
      if (current.known !== null) return current.known;
      const late = new AbortController();
      const state = await Promise.race([current.outcome, delay(CHECK_TIMEOUT_MS, UNKNOWN, { signal: late.signal })]);
      late.abort();
      return state;
    },
  };
}

/** Checks a venue with a request: the demo market directly, all other venues through the configured proxy. */
export function checkVenue(
  { demo, secret }: Pick<HostConfig, 'demo' | 'secret'>,
  database: Pick<Database, 'orm'>,
): (venue: HostedVenue) => Promise<VenueState> {
  return async ({ id, exchange }) => {
    if (isExternalVenue(id)) return checkExternalVenue(id, { exchange, secret, database });
    const path = exchange === 'binanceusdm' ? '/fapi/v1/ping' : '/api/v3/ping';
    const answer = await fetch(`${demo[exchange]?.rest}${path}`, { signal: AbortSignal.timeout(DEMO_MS) }).catch(
      () => null,
    );
    await answer?.body?.cancel();
    return answer?.ok ? REACHABLE : DEMO_DOWN;
  };
}

interface CheckDeps {
  readonly exchange: HostedVenue['exchange'];
  /** The installation's secret, which opens the sealed addresses of proxies. */
  readonly secret: string;
  readonly database: Pick<Database, 'orm'>;
}

type RouteDeps = Pick<CheckDeps, 'secret' | 'database'>;

/** Reads the pause that an exchange has demanded on the current route to a venue; null while the database is unavailable. */
export function pauseReader(secret: string, database: RouteDeps['database']) {
  return async ({ id }: HostedVenue): Promise<Pause | null> => {
    const read = async () => {
      // The demo market is never reached through a proxy.
      const via = isExternalVenue(id) ? (await routeTo(id, { secret, database })).via : 'direct';
      return readPause(database, { venue: id, via, now: Date.now() });
    };
    return read().catch(() => null);
  };
}

async function routeTo(venue: ExternalVenue, { secret, database }: RouteDeps) {
  const proxies = { ...(await readProxies(database, { venue, secret })), env: process.env };
  return { proxies, via: routeName(VENUE_HOSTS[venue].rest[0], proxies) };
}

/** Probes a venue. During a pause it sends nothing, and the state has the end of the pause. */
async function checkExternalVenue(
  venue: ExternalVenue,
  { exchange, secret, database }: CheckDeps,
): Promise<VenueState> {
  const { proxies, via } = await routeTo(venue, { secret, database });
  const pause = await readPause(database, { venue, via, now: Date.now() });
  if (pause !== null) return pausedState(pause);
  await countWeight(database, { venue, via }, { weight: PROBE_WEIGHT, windowMs: rateWindowOf(exchange) });
  const found = await probeVenue(venue, { proxies, now: Date.now });
  if (found.fault?.kind === 'paused') await savePause(database, { venue, via }, found.fault);
  return stateOf(found);
}

function pausedState(pause: Pause): VenueState {
  return stateOf({ reachable: false, trading: false, fault: { kind: 'paused', ...pause } });
}

/** Returns the state that a probe found, with the fault in words. */
export function stateOf({
  reachable,
  trading,
  fault,
}: Pick<VenueProbe, 'reachable' | 'trading' | 'fault'>): VenueState {
  const pause = fault?.kind === 'paused' ? { until: fault.until, banned: fault.banned } : null;
  return { reachable, trading, problem: fault === null ? null : faultText(fault), pause };
}
