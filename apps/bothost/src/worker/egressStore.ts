import { ALL_VENUES } from '@heron/contract/accounts/proxyMethods.ts';
import { proxySeal } from '@heron/contract/process/proxySeal.ts';
import type { Database } from '@heron/database/connect.ts';
import { proxy, venuePause } from '@heron/database/schema/bots.ts';
import type { Pause } from '@heron/exchanges/net/pause.ts';
import { egressLabel } from '@heron/exchanges/net/probe.ts';
import { type ProxySettings, UNREADABLE_ADDRESS } from '@heron/exchanges/net/proxy.ts';
import { and, eq, gt, inArray, sql } from 'drizzle-orm';

/** Addresses of the proxies that an administrator has set, with credentials; null where none is set. */
export interface SetProxies {
  readonly venue: string | null;
  readonly installation: string | null;
}

/** Reads the proxies that are set for a venue and for all venues. @param given.secret the installation's, which unseals them */
export async function readProxies(
  { orm }: Pick<Database, 'orm'>,
  { venue, secret }: { readonly venue: string; readonly secret: string },
): Promise<SetProxies> {
  const rows = await orm
    .select()
    .from(proxy)
    .where(inArray(proxy.scope, [venue, ALL_VENUES]));
  const seal = proxySeal(secret);
  const of = (scope: string): string | null => {
    const stored = rows.find((row) => row.scope === scope)?.address;
    return stored === undefined ? null : (seal.open(scope, stored) ?? UNREADABLE_ADDRESS);
  };
  return { venue: of(venue), installation: of(ALL_VENUES) };
}

/** Names the route to a host, under which its pauses and its used weight are stored. */
export function routeName(origin: string, proxies: ProxySettings): string {
  return egressLabel(new URL(origin).hostname, 443, proxies) ?? 'unreadable';
}

/** Reads the pause that the exchange has demanded on a route, if it is not over. */
export async function readPause(
  { orm }: Pick<Database, 'orm'>,
  { venue, via, now }: { venue: string; via: string; now: number },
): Promise<Pause | null> {
  const [row] = await orm
    .select()
    .from(venuePause)
    .where(and(eq(venuePause.venue, venue), eq(venuePause.via, via), gt(venuePause.endsAt, now)));
  return row === undefined ? null : { until: row.endsAt, banned: row.banned };
}

/** Saves a pause for every process on the same route, also for those of the next start. A longer pause stays. */
export async function savePause(
  { orm }: Pick<Database, 'orm'>,
  { venue, via }: { venue: string; via: string },
  pause: Pause,
): Promise<void> {
  const row = { venue, via, endsAt: pause.until, banned: pause.banned };
  await orm
    .insert(venuePause)
    .values(row)
    .onConflictDoUpdate({
      target: [venuePause.venue, venuePause.via],
      set: row,
      setWhere: sql`${venuePause.endsAt} < ${row.endsAt}`,
    });
}
