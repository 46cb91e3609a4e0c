import { setTimeout as delay } from 'node:timers/promises';
import { CallError } from '@heron/contract/http/errors.ts';
import { saveSession } from '@heron/engine/paper/paperSession.ts';
import type { BotSession } from '@heron/engine/session/botSession.ts';
import type { Note } from '@heron/engine/session/journal.ts';
import { retryWithBackoff } from '@heron/runtime/backoff.ts';
import { isDatabaseUnavailable } from '../http/errorResponse.ts';
import type { Logger } from '../log.ts';
import type { TakenBot, WriteBot } from './botJournal.ts';
import { openNotificationThrottle } from './notificationThrottle.ts';

/** Entries that no decision waits for, such as signals and refusals, are collected for this time before they are written. */
const FLUSH_MS = 250;
/** Maximum of the delay that each bot adds, because all bots write when a candle closes. */
const FLUSH_SPREAD_MS = 500;
/** A write that takes longer stalls the bot: it drops public trades and old quotes. */
const STALL_MS = 1_000;
const WRITE_RETRY = { minMs: 100, maxMs: 5_000 };

/** Dependencies of the journal writer of one bot. */
export interface JournalWriterDeps {
  readonly session: BotSession;
  readonly writeBot: WriteBot;
  readonly log: Pick<Logger, 'warn'>;
  now(): number;
  /** Ends the retries of a write. */
  readonly closing: AbortSignal;
  /** Whether the runner has ended; nothing is written after that. */
  hasEnded(): boolean;
  /** Whether the lease is certainly valid. */
  isLeaseValid(): boolean;
  /** Queues a commit in place of a flush, which must not run without a valid lease. */
  requestCommit(): void;
  /** Is called with entries that were written while the bot went on, the first of them as number `from + 1`. */
  onFlushed(notes: readonly Note[], from: number): void;
  /** Is called when another worker owns the bot. */
  onLost(): void;
  onFault(error: unknown): void;
}

/** Journal entries that were written, the first of them as number `from + 1`. */
interface WrittenNotes {
  readonly notes: readonly Note[];
  readonly from: number;
}

/** Writes the journal and the state of one bot, one write at a time. */
export interface JournalWriter {
  /** Adds entries to the next write. */
  add(notes: readonly Note[]): void;
  /** Writes the collected entries soon, unless a commit writes them first. The bot continues meanwhile. */
  scheduleFlush(): void;
  /** Writes the collected entries and the state. The bot must handle no event until it resolves. */
  commit(): Promise<WrittenNotes>;
  /** Runs an action during which the bot handles no event, as during a commit. */
  block<Result>(action: () => Promise<Result>): Promise<Result>;
  /** Whether a commit or a blocking action runs. */
  isBlocked(): boolean;
  /** Whether it has run for so long that stale events must be dropped. */
  isStalled(): boolean;
  /** Waits for a running commit, so that only committed state is shown. @throws CallError `unavailable` when it is stalled */
  settled(): Promise<void>;
  /** Resolves when no write is in progress. */
  flushed(): Promise<void>;
  /** Time of the last write, in ms. */
  savedAt(): number;
  close(): void;
}

export function createJournalWriter(taken: TakenBot, deps: JournalWriterDeps): JournalWriter {
  const { row, run, fence } = taken;
  const { session, writeBot, log, now, closing } = deps;
  const flushMs = FLUSH_MS + (Number.parseInt(row.id, 36) % FLUSH_SPREAD_MS);
  const throttle = openNotificationThrottle();
  let seq = taken.seq;
  let unwritten: Note[] = [];
  let savedAt = now();
  let blockedSince: number | null = null;
  let flushTimer: NodeJS.Timeout | null = null;
  // One write at a time, because another would take the same numbers.
  let writing: Promise<void> | null = null;

  const isStalled = () => blockedSince !== null && now() - blockedSince > STALL_MS;

  function cancelFlush(): void {
    if (flushTimer) clearTimeout(flushTimer);
    flushTimer = null;
  }

  function drain(): readonly Note[] {
    const notes = unwritten;
    unwritten = [];
    return notes;
  }

  async function block<Result>(action: () => Promise<Result>): Promise<Result> {
    blockedSince = now();
    try {
      return await action();
    } finally {
      blockedSince = null;
    }
  }

  function scheduleFlush(): void {
    if (unwritten.length > 0) flushTimer ??= setTimeout(flush, flushMs);
  }

  function flush(): void {
    flushTimer = null;
    // A write in progress schedules the next one at its end.
    if (deps.hasEnded() || writing !== null || unwritten.length === 0) return;
    if (!deps.isLeaseValid()) {
      deps.requestCommit();
      return;
    }
    const from = seq;
    const notes = drain();
    startWrite(async () => {
      await save(notes);
      if (!deps.hasEnded()) deps.onFlushed(notes, from);
    }).catch(deps.onFault);
  }

  /** Runs a write while no other runs. */
  function startWrite(action: () => Promise<void>): Promise<void> {
    writing = action().finally(() => {
      writing = null;
      scheduleFlush();
    });
    return writing;
  }

  async function flushed(): Promise<void> {
    // The caller that started the write handles its failure.
    while (writing !== null) await writing.catch(() => {});
  }

  /** Saves entries and state. */
  async function save(notes: readonly Note[]): Promise<void> {
    if ((await write(notes)) === 'written') {
      seq += notes.length;
      savedAt = now();
      return;
    }
    log.warn('another worker has taken the bot over');
    deps.onLost();
  }

  /** Repeats the write until the database accepts it, because clients must not see an event before it is saved. */
  async function write(notes: readonly Note[]): Promise<'written' | 'lost'> {
    // All attempts write the state of this moment, so that none contains changes after these entries.
    const closed = session.closed.splice(0);
    const state = { session, closed, saved: saveSession(session), status: session.state.bot.status };
    const given = { bot: row.id, venue: row.venue, run, fence, seq, notes, ...state, at: now() };
    return retryWithBackoff(() => writeBot(given), {
      ...WRITE_RETRY,
      isRetryable: isDatabaseUnavailable,
      onRetry: (error) => log.warn({ err: error }, 'the database is unavailable; the bot waits'),
      signal: closing,
    });
  }

  return {
    add(notes) {
      unwritten.push(...throttle.throttle(notes));
    },
    scheduleFlush,
    commit() {
      return block(async () => {
        await flushed();
        cancelFlush();
        const from = seq;
        const notes = drain();
        if (!deps.hasEnded()) await startWrite(() => save(notes));
        return { notes, from };
      });
    },
    block,
    isBlocked: () => blockedSince !== null,
    isStalled,
    async settled() {
      while (blockedSince !== null) {
        if (isStalled()) throw new CallError('unavailable');
        await delay(5);
      }
    },
    flushed,
    savedAt: () => savedAt,
    close: cancelFlush,
  };
}
