import { loginPlaces } from '@heron/database/schema/accounts.ts';
import { and, desc, eq, lt, notInArray, or, sql } from 'drizzle-orm';
import { digestKey } from '../../gateway/limits.ts';
import type { Caller } from '../../gateway/methods.ts';
import { programOf } from '../../gateway/programOf.ts';
import type { Queries } from '../core/queries.ts';

/** A place without a sign-in for this long counts as new. */
const REMEMBERED_DAYS = 180;
/** A further place replaces the place used longest ago. */
const PLACES_PER_USER = 50;
const NAME_LONGEST = 40;

/**
 * Records the program, system and network of a sign-in. Ignores versions and the host within a network, because both
 * change often.
 *
 * @returns whether the place is new for an account that has other places
 */
export async function recordLoginPlace(
  orm: Queries,
  userId: number,
  caller: Pick<Caller, 'address' | 'userAgent'>,
): Promise<boolean> {
  const place = placeOf(caller);
  const [noted] = await orm
    .insert(loginPlaces)
    .values({ userId, place })
    .onConflictDoUpdate({ target: [loginPlaces.userId, loginPlaces.place], set: { usedAt: sql`now()` } })
    // In PostgreSQL, `xmax` is 0 for an inserted row.
    .returning({ isNew: sql<boolean>`xmax = 0` });
  if (noted?.isNew !== true) return false;
  const own = eq(loginPlaces.userId, userId);
  const kept = orm
    .select({ place: loginPlaces.place })
    .from(loginPlaces)
    .where(own)
    .orderBy(desc(loginPlaces.usedAt))
    .limit(PLACES_PER_USER);
  const isOld = lt(loginPlaces.usedAt, sql`now() - make_interval(days => ${REMEMBERED_DAYS})`);
  const others = await orm.select({ place: loginPlaces.place }).from(loginPlaces).where(own).limit(2);
  await orm.delete(loginPlaces).where(and(own, or(isOld, notInArray(loginPlaces.place, kept))));
  return others.length > 1;
}

function placeOf({ address, userAgent }: Pick<Caller, 'address' | 'userAgent'>): string {
  const { browser, system } = programOf(userAgent);
  const program = browser === '' ? userAgent.split('/', 1)[0]?.slice(0, NAME_LONGEST) : browser;
  return digestKey(`${program} ${system} ${networkOf(address)}`);
}

/** Returns half of an IPv4 address or a quarter of an IPv6 address, which is about one provider in one region. */
function networkOf(address: string): string {
  return address.split(/[.:]/, 2).join(' ');
}
