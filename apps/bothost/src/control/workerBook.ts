import type { Database } from '@heron/database/connect.ts';
import * as table from '@heron/database/schema/bots.ts';
import { eq } from 'drizzle-orm';
import type { Logger } from '../log.ts';
import { livingWorkers } from '../ownership/presence.ts';
import { type AudienceNames, type LineEars, openWorkerLine, type WorkerLine } from './workerLine.ts';

/** Ways to the workers of other bot hosts on the same database. */
export interface WorkerBook {
  /** The way to the worker that runs a bot, by its number; null when there is none. */
  lineOf(worker: number | null): Promise<WorkerLine | null>;
  /** Tells all of them who listens here. */
  tellAudience(audience: AudienceNames): void;
  close(): void;
}

/** What the book is opened with. */
export interface BookGround {
  readonly database: Database;
  readonly log: Logger;
  readonly secret: string;
  /** Of this bot host. */
  readonly host: string;
  readonly ears: LineEars;
  /** Returns this host's own worker of a venue, or null when it does not run. */
  own(venue: string, mode: string): WorkerLine | null;
}

type WorkerRow = typeof table.worker.$inferSelect;

const LOOK_MS = 2_000;

/** Looks regularly who is there, so that what any of them has for clients is heard. */
export function openWorkerBook(ground: BookGround): WorkerBook {
  const { database, log, secret, host, ears } = ground;
  const known = new Map<number, WorkerRow>();
  const lines = new Map<string, WorkerLine>();
  let audience: AudienceNames = { owners: [], bots: [] };
  let closed = false;
  const clock = setInterval(() => void look(), LOOK_MS);
  clock.unref();
  void look();

  function lineTo({ url }: WorkerRow): WorkerLine {
    const held = lines.get(url);
    if (held) return held;
    const line = openWorkerLine(url, secret, ears);
    line.tellAudience(audience);
    lines.set(url, line);
    return line;
  }

  async function look(): Promise<void> {
    try {
      const living = await livingWorkers(database);
      if (closed) return;
      for (const row of living) known.set(row.id, row);
      const others = living.filter((row) => row.host !== host);
      for (const row of others) lineTo(row);
      for (const [url, line] of lines) {
        if (others.some((row) => row.url === url)) continue;
        line.hangUp();
        lines.delete(url);
      }
    } catch (error) {
      log.warn({ err: error }, 'the workers of other bot hosts could not be read');
    }
  }

  async function rowOf(worker: number): Promise<WorkerRow | null> {
    const held = known.get(worker);
    if (held) return held;
    const [row] = await database.orm.select().from(table.worker).where(eq(table.worker.id, worker));
    if (row) known.set(row.id, row);
    return row ?? null;
  }

  return {
    async lineOf(worker) {
      const row = worker === null ? null : await rowOf(worker);
      if (row === null || closed) return null;
      return row.host === host ? ground.own(row.venue, row.mode) : lineTo(row);
    },
    tellAudience(given) {
      audience = given;
      for (const line of lines.values()) line.tellAudience(given);
    },
    close() {
      closed = true;
      clearInterval(clock);
      for (const line of lines.values()) line.hangUp();
    },
  };
}
