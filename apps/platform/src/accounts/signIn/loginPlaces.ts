import { loginPlaces } from '@heron/database/schema/accounts.ts';
import { and, desc, eq, lt, notInArray, or, sql } from 'drizzle-orm';
import { digestKey } from '../../gateway/limits.ts';
import type { Caller } from '../../gateway/methods.ts';
import { programOf } from '../../gateway/programOf.ts';
import type { Queries } from '../core/queries.ts';

/** A place from which nobody has come for so long is a new one. */
const REMEMBERED_DAYS = 180;
/** Further ones push out those used longest ago. */
const PLACES_PER_USER = 50;
const NAME_LONGEST = 40;

/**
 * Notes from where somebody logs in: with which program, on which system, in which network. Versions do not count, nor where in
 * a network: programs are renewed and addresses handed out anew all the time.
 *
 * @returns whether it is new to an account that is not new itself
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
    // PostgreSQL: the row was not there before.
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

/** The first half of an IPv4 address, or the first quarter of an IPv6 one: about what one provider has in one region. */
function networkOf(address: string): string {
  return address.split(/[.:]/, 2).join(' ');
}
