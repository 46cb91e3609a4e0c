import type { Database } from '@heron/database/connect.ts';
import { isQueryTimeout } from '@heron/database/queryTimeout.ts';
import * as table from '@heron/database/schema/bots.ts';
import type { PairState } from '@heron/engine/state/botState.ts';
import { hasQuantities } from '@heron/engine/state/pairActivity.ts';
import { and, asc, eq, gt, type SQL, sql } from 'drizzle-orm';
import type { Logger } from '../log.ts';
import type { BotRow } from '../store/botRow.ts';
import { type HostedSession, readSaved } from '../store/savedBot.ts';
import { isActive } from '../store/status.ts';

/** The most decimals of a unit. */
const MAX_DECIMALS = 8;

/** A saved bot. */
interface StoredSession {
  readonly row: BotRow;
  readonly session: string;
  /** ms since 1970. */
  readonly savedAt: number;
}

/** The unit in which a saved bot counts a pair. */
interface UnitClaim {
  readonly bot: string;
  readonly isLive: boolean;
  readonly savedAt: number;
  readonly pair: string;
  readonly decimals: number;
}

/** Units of the pairs that saved bots count. */
export interface SavedUnits {
  /**
   * Returns the unit of each pair that a saved bot holds, plans or orders. Live bots precede paper bots, then the newest saved
   * one decides. A read that fails continues where it ended.
   */
  ofHeldPairs(): Promise<ReadonlyMap<string, number>>;
  /** Whether a saved bot counts a pair, so that its unit must stay. */
  isCounted(pair: string): Promise<boolean>;
}

/** Reads one session at a time, because sessions may be large and a query has a time limit. */
export function openSavedUnits({ orm }: Pick<Database, 'orm'>, venue: string, log: Logger): SavedUnits {
  const claims = new Map<string, UnitClaim>();
  /** The last bot whose claims are known. */
  let readUntil = '';
  /** The bot whose session was not read within the time limit. */
  let slowBot: string | null = null;

  async function nextSession(after: string, condition?: SQL): Promise<StoredSession | undefined> {
    const [next] = await orm
      .select({ row: table.bot, session: table.snapshot.session, savedAt: table.snapshot.savedAt })
      .from(table.snapshot)
      .innerJoin(table.bot, eq(table.bot.id, table.snapshot.botId))
      .where(and(eq(table.snapshot.venue, venue), gt(table.snapshot.botId, after), condition))
      .orderBy(asc(table.snapshot.botId))
      .limit(1);
    return next;
  }

  /** Returns the next session. One that is too slow twice is left out, so that the others can be read. */
  async function nextReadableSession(): Promise<StoredSession | undefined> {
    try {
      return await nextSession(readUntil);
    } catch (error) {
      if (!isQueryTimeout(error)) throw error;
      const [next] = await orm
        .select({ id: table.snapshot.botId })
        .from(table.snapshot)
        .where(and(eq(table.snapshot.venue, venue), gt(table.snapshot.botId, readUntil)))
        .orderBy(asc(table.snapshot.botId))
        .limit(1);
      if (next === undefined || slowBot !== next.id) {
        slowBot = next?.id ?? null;
        throw error;
      }
      log.error({ err: error, bot: next.id }, 'a saved bot could not be read, so its pairs may get another unit');
      readUntil = next.id;
      return nextReadableSession();
    }
  }

  function add(claim: UnitClaim): void {
    const other = claims.get(claim.pair);
    const isFirst = other === undefined || precedes(claim, other);
    if (isFirst) claims.set(claim.pair, claim);
    if (other === undefined || other.decimals === claim.decimals) return;
    const [kept, lost] = isFirst ? [claim, other] : [other, claim];
    log.error(
      { pair: claim.pair, bot: lost.bot, decimals: lost.decimals, unitOf: kept.bot, unit: kept.decimals },
      'a saved bot counts a pair in another unit than its venue, and will stop; sell its position at the exchange',
    );
  }

  return {
    async ofHeldPairs() {
      for (let next = await nextReadableSession(); next !== undefined; next = await nextReadableSession()) {
        for (const claim of claimsOf(next, log)) add(claim);
        readUntil = next.row.id;
      }
      return new Map([...claims.values()].map(({ pair, decimals }) => [pair, decimals]));
    },
    async isCounted(pair) {
      const namesPair = sql`position(${JSON.stringify(pair)} in ${table.snapshot.session}) > 0`;
      for (let next = await nextSession('', namesPair); next; next = await nextSession(next.row.id, namesPair)) {
        const { session, unreadable } = readSaved(next.row, next.session);
        if (unreadable !== null || counts(session, pair)) return true;
      }
      return false;
    },
  };
}

function precedes(one: UnitClaim, other: UnitClaim): boolean {
  if (one.isLive !== other.isLive) return one.isLive;
  return one.savedAt > other.savedAt;
}

/** Returns the claims of a bot; none of one whose state cannot be used, and so cannot trade. */
function claimsOf({ row, session: text, savedAt }: StoredSession, log: Logger): UnitClaim[] {
  const { session, unreadable } = readSaved(row, text);
  if (unreadable !== null) {
    log.warn({ bot: row.id, unreadable }, 'a saved bot cannot be read, so it decides no unit');
    return [];
  }
  const { bot } = session.state;
  return bot.pairs.filter(hasQuantities).flatMap((held) => {
    const decimals = unitOf(held);
    if (decimals !== null) {
      return [{ bot: row.id, isLive: bot.options.mode === 'live', savedAt, pair: held.pair, decimals }];
    }
    log.warn({ bot: row.id, pair: held.pair }, 'a saved bot names no valid unit of a pair');
    return [];
  });
}

function unitOf({ market }: PairState): number | null {
  const decimals: unknown = market?.assetDecimals;
  if (typeof decimals !== 'number' || !Number.isInteger(decimals)) return null;
  return decimals >= 0 && decimals <= MAX_DECIMALS ? decimals : null;
}

/** Whether a bot has quantities of a pair, or may trade it now. */
function counts({ state: { bot } }: HostedSession, name: string): boolean {
  const pair = bot.pairs.find((candidate) => candidate.pair === name);
  return pair !== undefined && (hasQuantities(pair) || (pair.market !== null && isActive(bot.status)));
}
