import { setTimeout as delay } from 'node:timers/promises';
import type { BotDetail, CandleHistory } from '@heron/contract/bots/entities.ts';
import { CallError, ERRORS, errorText } from '@heron/contract/http/errors.ts';
import type { CommandResult } from '@heron/engine/bot/commandResult.ts';
import { startCapitalOf } from '@heron/engine/ledger/wallet.ts';
import type { Period } from '@heron/engine/market/period.ts';
import { formatUnits } from '@heron/engine/money/units.ts';
import type { Text } from '@heron/engine/options/item.ts';
import { saveSession } from '@heron/engine/paper/paperSession.ts';
import type { Note } from '@heron/engine/session/journal.ts';
import { candleHistory } from '@heron/engine/session/sessionView.ts';
import type { Command } from '@heron/engine/state/botEvents.ts';
import type { BotStatus, PairState } from '@heron/engine/state/botState.ts';
import { equityOf } from '@heron/engine/state/equity.ts';
import { isWatched } from '@heron/engine/state/pairActivity.ts';
import { ExchangeError, ExchangeRefused } from '@heron/exchanges/errors.ts';
import {
  type FeedEvent,
  type FeedSubscription,
  type MarketFeed,
  quietAfter,
} from '@heron/exchanges/feed/marketFeed.ts';
import type { Pause } from '@heron/exchanges/net/pause.ts';
import { createBackoff, retryWithBackoff } from '@heron/runtime/backoff.ts';
import { isDatabaseUnavailable } from '../http/errorResponse.ts';
import type { Logger } from '../log.ts';
import { type BotViewDeps, botDetail } from '../store/botView.ts';
import { isActive } from '../store/status.ts';
import { isChange, type TakenBot, type WriteBot, type writeFault } from './botJournal.ts';
import type { BotMachine, MachineOutput } from './botMachine.ts';
import { createBotPushes } from './botPushes.ts';
import type { Broadcast } from './broadcast.ts';
import { EQUITY_MS, type SampleEquity } from './equitySamples.ts';
import { createEventQueue, type QueueItem } from './eventQueue.ts';
import { openNotificationThrottle } from './notificationThrottle.ts';
import { createOutageMonitor } from './outageMonitor.ts';
import { startPaperSync } from './paperSync.ts';
import { openTape, type Tape } from './tape.ts';

/** Signals and refusals wait so long for company before they are written, */
const NOTES_WAIT_MS = 250;
/** and each bot a little longer than another, because all have them when a candle closes. */
const NOTES_SPREAD_MS = 500;
/** A write that takes longer makes the bot deaf to trades and old quotes. */
const STALL_MS = 1_000;
const WRITE_RETRY = { minMs: 100, maxMs: 5_000 };
/** Any venue says something more often than this, or is asked. */
const QUIET_MS = 15_000;
const SUBSCRIBE_RETRY = { minMs: 1_000, maxMs: 30_000 };
/** For a pair that the venue does not list: its list is long. */
const UNLISTED_RETRY = { minMs: 1_000, maxMs: 600_000 };
/** setTimeout fires at once beyond 2^31 ms; waking too early only means waiting again. */
const LONGEST_TIMER_MS = 3_600_000;

/** What a bot runs on. */
export interface RunnerDeps {
  readonly writeBot: WriteBot;
  /** As {@link writeFault}. */
  writeFault(row: TakenBot['row'], fence: number, at: number): ReturnType<typeof writeFault>;
  readonly sampleEquity: SampleEquity;
  readonly feed: MarketFeed;
  /** Returns the pause that the exchange has asked for; null while it takes requests. */
  pause(): Pause | null;
  readonly broadcast: Broadcast;
  /** Where tapes are kept; null for none. */
  readonly tapes: string | null;
  readonly log: Logger;
  now(): number;
}

/** The right to run a bot, as its runner asks for it. */
export interface RunnerLease {
  /** Whether it is certain now. Asks nobody: fit for every event. */
  isValid(): boolean;
  /** Asks until it is certain. @returns false when another worker has the bot, or may have it */
  confirm(): Promise<boolean>;
}

/** Why a runner ended by itself. */
export type RunnerEnd = 'finished' | 'lost' | 'failed';

/** One bot at work. */
export interface BotRunner {
  readonly id: string;
  readonly owner: string;
  /** Its session has ended, or a fault has stopped it. */
  ended(): RunnerEnd | null;
  /** Of its session, perhaps not yet committed. */
  status(): BotStatus;
  /** Resolves once what the command did is committed. */
  command(command: Command): Promise<CommandResult | null>;
  /** As committed. */
  detail(): Promise<BotDetail>;
  candles(pair: string): CandleHistory | null;
  /** Names of the pairs that it trades or manages. */
  pairs(): readonly string[];
  /** The kill switch sells what a pair holds, and it is not sold yet. */
  selling(): boolean;
  /** Saves and lets go. Does nothing more afterwards. */
  close(): Promise<void>;
  /** Lets go at once: another worker has the bot, or may have it. Nothing is saved, sent or told any more. */
  abandon(): void;
}

/**
 * Runs a bot that this worker has taken over: one queue, one event at a time. Whatever an event did to money, orders or
 * state is committed before anybody is told and before the next event is handled.
 *
 * @param machine woken from what it saved
 * @param lease asked before every event and before anything is sent: a process that was frozen finds out that it has lost
 *   the bot before it does anything
 * @param onEnd told once, when the bot has finished, was lost to another worker, or met a fault
 * @see docs/bot-lifecycle.md#events-and-timers
 */
export function startBotRunner(
  taken: TakenBot,
  machine: BotMachine,
  deps: RunnerDeps,
  lease: RunnerLease,
  onEnd: (why: RunnerEnd) => void,
): BotRunner {
  const { row, run, fence } = taken;
  const { session } = machine;
  const { writeBot, sampleEquity, feed, broadcast, now } = deps;
  const log = deps.log.child({ bot: row.id });
  const tape: Tape | null = deps.tapes === null ? null : openTape(deps.tapes, row.id, taken.session);
  const closing = new AbortController();
  /** Pairs that are followed, or are about to be. */
  const followed = new Map<string, Following>();
  const flushPause = NOTES_WAIT_MS + (Number.parseInt(row.id, 36) % NOTES_SPREAD_MS);
  const queue = createEventQueue(() => writingSince !== null && now() - writingSince > STALL_MS);

  let seq = taken.seq;
  let unwritten: Note[] = [];
  const notifications = openNotificationThrottle();
  let lastAt = 0;
  let savedAt = now();
  /** When it was told last what the bot is worth. */
  let sampledAt = 0;
  let busy = false;
  let pumping: Promise<void> = Promise.resolve();
  let writingSince: number | null = null;
  let flushTimer: NodeJS.Timeout | null = null;
  /** Lines that nothing waits for are being written. */
  let flushing: Promise<void> | null = null;
  let dueTimer: NodeJS.Timeout | null = null;
  /** When the wake timer is to act. */
  let dueTimerAt = 0;
  let timerQueued = false;
  let opening = false;
  let opened = false;
  let problem: Text | null = null;
  const away = createOutageMonitor();
  /** When anything was heard of the market last; null before it could be. */
  let lastEventAt: number | null = null;
  /** Since when the account cannot be read; null while it can. */
  let accountAwaySince: number | null = null;
  let end: RunnerEnd | 'closed' | null = null;

  const viewDeps = (): BotViewDeps => ({
    problem,
    failed: end === 'failed',
    account: machine.account(),
    pause: deps.pause(),
  });
  const pushes = createBotPushes(row, session, broadcast, now, viewDeps);
  const { mode } = session.state.bot.options;
  const endSync = mode === 'paper' ? startPaperSync(session, feed, onMarketEvent, log) : () => {};
  let heartbeat = setInterval(beat, session.state.bot.options.poll_broadcast_time);
  planTimer();
  if (isActive(session.state.bot.status)) follow();

  /** Events are stamped in the order in which they come, also when the clock of this machine is set back. */
  function stamp(): number {
    lastAt = Math.max(lastAt, now());
    return lastAt;
  }

  /** The same for what was stamped when it came: as it is, unless something later was heard before. */
  function inOrder<Event extends { readonly at: number }>(event: Event): Event {
    if (event.at < lastAt) return { ...event, at: lastAt };
    lastAt = event.at;
    return event;
  }

  function enqueue(item: QueueItem): void {
    if (end !== null) {
      item.answer?.reject(unavailable());
      return;
    }
    queue.put(item);
    if (!busy) pump();
  }

  /** Handles what waits: most of it at once, and what comes after something that takes time when that is done. */
  function pump(): void {
    busy = true;
    try {
      for (let item = queue.next(); item !== null && end === null; item = queue.next()) {
        const handled = lease.isValid() ? handle(item) : handleWhenConfirmed(item);
        if (handled === null) continue;
        pumping = handled.catch(fault).then(pump);
        return;
      }
    } catch (error) {
      fault(error);
    }
    busy = false;
    planTimer();
  }

  async function handleWhenConfirmed(item: QueueItem): Promise<void> {
    if (await confirmLease()) await handle(item);
    else item.answer?.reject(unavailable());
  }

  /** Waits until the right to run the bot is certain again, as deaf as during a long write. */
  async function confirmLease(): Promise<boolean> {
    writingSince = now();
    try {
      if (await lease.confirm()) return true;
    } finally {
      writingSince = null;
    }
    finish('lost');
    return false;
  }

  /** Feeds one event; a promise when it has to be committed. */
  function handle({ event, answer, outdated }: QueueItem): Promise<void> | null {
    if (event === null) return commit(null, answer);
    if (outdated?.()) return null;
    if (event.type === 'timer') timerQueued = false;
    tape?.record(event);
    let output: MachineOutput;
    try {
      output = machine.feed(event);
    } catch (error) {
      answer?.reject(unavailable());
      throw error;
    }
    unwritten.push(...notifications.throttle(output.notes));
    if (output.durable) return commit(event, answer, output);
    output.act?.();
    answer?.resolve(output.result);
    if (unwritten.length > 0) flushTimer ??= setTimeout(flush, flushPause);
    if (event.type === 'candle') pushes.closedCandle(event.pair, event.candle);
    return null;
  }

  async function commit(
    event: QueueItem['event'],
    answer: QueueItem['answer'],
    output: MachineOutput | null = null,
  ): Promise<void> {
    if (flushTimer) clearTimeout(flushTimer);
    flushTimer = null;
    writingSince = now();
    let from = seq;
    let notes: readonly Note[] = [];
    try {
      await flushing;
      from = seq;
      notes = drainUnwritten();
      if (end === null) await save(notes);
    } catch (error) {
      answer?.reject(unavailable());
      throw error;
    } finally {
      writingSince = null;
    }
    if (end !== null) {
      answer?.reject(unavailable());
      return;
    }
    // Only now: whatever becomes of this process, what it did is known. And only if it was not frozen meanwhile.
    if (output?.act && !lease.isValid() && !(await confirmLease())) {
      answer?.reject(unavailable());
      return;
    }
    output?.act?.();
    answer?.resolve(output?.result ?? null);
    if (end !== null) return;
    pushes.committed(notes, from);
    if (notes.some(movesWorth)) sample();
    if (event?.type === 'candle') pushes.closedCandle(event.pair, event.candle);
    if (notes.some(isChange)) applyChange();
    const active = isActive(session.state.bot.status);
    if (active) follow();
    else if (notes.some(({ kind }) => kind === 'status')) finish('finished');
  }

  /** Writes the lines that wait, while the bot goes on: no decision of it waits for them. */
  function flush(): void {
    flushTimer = null;
    if (end !== null) return;
    if (!lease.isValid()) {
      enqueue({ event: null });
      return;
    }
    const from = seq;
    const notes = drainUnwritten();
    flushing = save(notes)
      .then(() => {
        if (end === null) pushes.committed(notes, from);
      })
      .catch(fault)
      .finally(() => {
        flushing = null;
      });
  }

  function drainUnwritten(): readonly Note[] {
    const notes = unwritten;
    unwritten = [];
    return notes;
  }

  /** Commits lines and state; ends the bot when it is another worker's. */
  async function save(notes: readonly Note[]): Promise<void> {
    if ((await write(notes)) === 'written') {
      seq += notes.length;
      savedAt = now();
      return;
    }
    log.warn('another worker has taken the bot over');
    finish('lost');
  }

  /** Sends the write until the database has taken it: an event whose outcome is unsaved has not happened for anybody. */
  async function write(notes: readonly Note[]): Promise<'written' | 'lost'> {
    // As it is now: what is tried again tells nothing that came after these lines.
    const state = { session, saved: saveSession(session), status: session.state.bot.status };
    const given = { bot: row.id, venue: row.venue, run, fence, seq, notes, ...state, at: now() };
    return retryWithBackoff(() => writeBot(given), {
      ...WRITE_RETRY,
      isRetryable: isDatabaseUnavailable,
      onRetry: (error) => log.warn({ err: error }, 'the database is unavailable; the bot waits'),
      signal: closing.signal,
    });
  }

  /** A mistake of this program stops the one bot that met it. */
  function fault(error: unknown): void {
    if (closing.signal.aborted) return;
    log.error({ err: error }, 'the bot is stopped by a fault');
    problem = { zh: '机器人遇到内部错误，已停住', en: 'The bot met an internal fault and has halted' };
    finish('failed');
    // Not before lines that are on their way: after it their number would not be the next one any more.
    (flushing ?? Promise.resolve())
      .then(() => deps.writeFault(row, fence, now()))
      .then((written) => written && pushes.notifications([written.note], written.seq - 1))
      .catch((cause: unknown) => log.error({ err: cause }, 'the fault could not be written into the journal'));
  }

  function finish(why: RunnerEnd): void {
    if (end !== null) return;
    release();
    end = why;
    queue.fail(unavailable());
    // What a bot is that another worker has, that worker tells.
    if (why !== 'lost') pushes.summary();
    onEnd(why);
  }

  function release(): void {
    clearInterval(heartbeat);
    endSync();
    if (flushTimer) clearTimeout(flushTimer);
    if (dueTimer) clearTimeout(dueTimer);
    for (const name of [...followed.keys()]) unfollow(name);
    machine.close().catch((error: unknown) => log.warn({ err: error }, 'the account was not let go in order'));
    pushes.close();
  }

  function planTimer(): void {
    if (end !== null || timerQueued) return;
    const dueAt = machine.nextTimer();
    // Asked after every event, and seldom anew.
    if (dueTimer && dueAt === dueTimerAt) return;
    if (dueTimer) clearTimeout(dueTimer);
    dueTimer = null;
    if (dueAt === null) return;
    dueTimerAt = dueAt;
    dueTimer = setTimeout(
      () => {
        dueTimer = null;
        if (now() < dueAt) return planTimer();
        timerQueued = true;
        enqueue({ event: { type: 'timer', at: stamp() } });
      },
      Math.min(Math.max(0, dueAt - now()), LONGEST_TIMER_MS),
    );
  }

  function beat(): void {
    if (end !== null || writingSince !== null) return;
    pushes.refresh();
    reportAway();
    const due = Math.floor(now() / EQUITY_MS) !== Math.floor(sampledAt / EQUITY_MS);
    if (due && isActive(session.state.bot.status)) sample();
    if (now() - savedAt >= session.state.bot.options.save_bot_time) enqueue({ event: null });
  }

  /** Writes down that the bot is cut off from its market or its account, and that it no longer is. */
  function reportAway(): void {
    if (!isActive(session.state.bot.status)) return;
    const at = now();
    // A pair without pushes is polled at this interval, after the time that the bot waits for a push.
    const { 'server.poll_scan_time': pollMs, poll_scan_time: scanMs } = session.state.bot.options;
    const pace = Math.max(3 * pollMs, quietAfter(scanMs) + pollMs);
    const quiet = lastEventAt !== null && followed.size > 0 && at - lastEventAt >= QUIET_MS;
    const unreachable = machine.account()?.connection === 'unreachable';
    accountAwaySince = unreachable ? (accountAwaySince ?? at) : null;
    const lines = [
      away.check('feed', quiet ? lastEventAt : null, at, pace),
      away.check('account', accountAwaySince, at),
    ].filter((line) => line !== null);
    if (lines.length === 0) return;
    unwritten.push(...notifications.throttle(lines));
    enqueue({ event: null });
  }

  /** Says what the bot is worth. Nothing waits for it; what cannot be kept is not told again. */
  function sample(): void {
    const { wallet } = session.state.bot;
    // A live bot that has not seen its account yet.
    if (wallet.start === 0 && wallet.transfers === 0) return;
    sampledAt = now();
    const worth = { total: formatUnits(equityOf(session.bot)), start: formatUnits(startCapitalOf(wallet)) };
    sampleEquity({ bot: row.id, fence, at: sampledAt, ...worth }).catch((error: unknown) =>
      log.info({ err: error }, 'what the bot is worth could not be kept'),
    );
  }

  /** Opens the exchange before anything is followed; tries until it is done. */
  function open(): void {
    if (opening) return;
    opening = true;
    machine
      .open((event) => enqueue({ event: { ...event, at: stamp() } }), reportTrouble)
      .then(() => {
        opened = true;
        if (end === null) follow();
      })
      .catch(fault);
  }

  function reportTrouble(error: unknown): void {
    if (end !== null) return;
    problem = error === null ? null : troubleText(error);
    if (error !== null) log.warn({ err: error }, 'the account cannot be reached');
    pushes.summary();
  }

  /** Subscribes to every pair that the bot trades or manages, and leaves those that it does not any more. */
  function follow(): void {
    if (!opened) {
      open();
      return;
    }
    const { pairs } = session.state.bot;
    for (const pair of pairs) {
      const wanted = isWatched(pair) && pair.flag !== 'currency' && pair.flag !== 'watch_limit';
      if (!wanted) unfollow(pair.pair);
      else if (!followed.has(pair.pair)) followPair(pair).catch(fault);
    }
    for (const name of followed.keys()) if (!pairs.some(({ pair }) => pair === name)) unfollow(name);
  }

  function unfollow(name: string): void {
    const following = followed.get(name);
    if (following === undefined) return;
    following.left = true;
    following.subscription?.close();
    followed.delete(name);
  }

  /** Pairs whose strategy is loaded anew want a history, perhaps of another period. */
  function applyChange(): void {
    for (const { pair, flag, reloading } of session.state.bot.pairs)
      if (flag === 'loading' || reloading) unfollow(pair);
    clearInterval(heartbeat);
    heartbeat = setInterval(beat, session.state.bot.options.poll_broadcast_time);
  }

  /** Tries until it is done. */
  async function followPair(pair: PairState): Promise<void> {
    const following: Following = { subscription: null, left: false };
    followed.set(pair.pair, following);
    lastEventAt ??= now();
    // Validated when the bot was given its options: the option table lists periods only.
    const period = session.state.bot.options.period as Period;
    const outdated = () => following.left;
    const onPairEvent = (event: FeedEvent) => {
      if (!following.left) onMarketEvent(event);
    };
    const pace = () => {
      const { 'server.poll_scan_time': pollMs, poll_scan_time: scanMs } = session.state.bot.options;
      return { pollMs, scanMs };
    };
    let backoff = createBackoff(SUBSCRIBE_RETRY);
    let unlisted = false;
    while (!following.left) {
      try {
        const wishes = { pace, fundingSince: fundingSince(pair) };
        const subscription = await feed.subscribe(pair.pair, period, historyLength(pair), onPairEvent, wishes);
        if (following.left) {
          subscription.close();
          return;
        }
        following.subscription = subscription;
        problem = null;
        const { market, history, quote, ticker, fundings } = subscription;
        enqueue({ event: { type: 'history', at: stamp(), market, candles: [...history] }, outdated });
        if (ticker !== null) onMarketEvent(ticker);
        for (const funding of fundings) onMarketEvent(funding);
        if (quote !== null) onMarketEvent({ type: 'quote', pair: pair.pair, ...quote });
        return;
      } catch (error) {
        if (!(error instanceof ExchangeError)) throw error;
        if (error.kind === 'misused') {
          if (!unlisted) {
            enqueue({ event: { type: 'unlisted', at: stamp(), pair: pair.pair }, outdated });
            backoff = createBackoff(UNLISTED_RETRY);
          }
          // The exchange may have halted the pair only for a while, and a position in it needs its prices again.
          unlisted = true;
        } else {
          problem = { zh: ERRORS.exchange_unreachable.zh, en: ERRORS.exchange_unreachable.en };
          pushes.summary();
          log.warn({ err: error, pair: pair.pair }, 'no market data yet');
        }
        await backoff.wait(closing.signal);
      }
    }
  }

  /** After an absence also the candles missed, as far as the bot keeps any. @see docs/entries.md#warm-up */
  function historyLength(pair: PairState): number {
    const keepPeriods = session.state.bot.options.keep_lookback_periods;
    const preload = Math.min(keepPeriods, Math.max(2 * session.bot.warmup, 100));
    const missed = pair.candleTime === 0 ? 0 : Math.ceil((now() - pair.candleTime) / session.bot.rules.periodMs) + 1;
    return Math.max(preload, Math.min(keepPeriods, missed));
  }

  /** From when on a position has payments to book: those that came while nobody was there. @see docs/accounting.md#funding */
  function fundingSince({ holding, position, fundingId }: PairState): number | null {
    if (!session.bot.rules.future || holding.quantity === 0 || position === null) return null;
    return Math.max(position.openedAt, Number(fundingId) + 1);
  }

  /** A payment may be heard some time after it was made, and more than once. */
  function isOwed(name: string, time: number): boolean {
    const pair = session.state.bot.pairs.find((candidate) => candidate.pair === name);
    if (pair === undefined || time <= Number(pair.fundingId)) return false;
    // Who came after it was not there to be paid.
    return pair.position === null || pair.position.openedAt <= time;
  }

  function onMarketEvent(event: FeedEvent): void {
    lastEventAt = now();
    if (event.type === 'forming') {
      pushes.formingCandle(event.pair, event.candle);
      return;
    }
    if (event.type === 'quote') pushes.quote(event);
    const outdated = event.type === 'funding' ? () => !isOwed(event.pair, Number(event.id)) : undefined;
    enqueue({ event: inOrder(event), ...(outdated && { outdated }) });
  }

  /** The rest of a write in progress: what is shown is what is committed. */
  async function settled(): Promise<void> {
    while (writingSince !== null) {
      if (now() - writingSince > STALL_MS) throw new CallError('unavailable');
      await delay(5);
    }
  }

  return {
    id: row.id,
    owner: row.owner,
    ended: () => (end === 'closed' ? null : end),
    status: () => session.state.bot.status,
    command(command) {
      const answer = Promise.withResolvers<CommandResult | null>();
      enqueue({ event: { type: 'command', at: stamp(), command }, answer });
      return answer.promise;
    },
    async detail() {
      await settled();
      return botDetail(row, session, viewDeps(), now());
    },
    candles: (pair) => candleHistory(session, pair),
    pairs: () => session.state.bot.pairs.filter(isWatched).map(({ pair }) => pair),
    selling: () => session.state.bot.pairs.some(({ paused, exit }) => paused === 'manual' && exit !== null),
    async close() {
      if (end === null) {
        // Last in the queue: all that was heard before is handled.
        const saved = Promise.withResolvers<CommandResult | null>();
        enqueue({ event: null, answer: saved });
        await Promise.race([saved.promise.catch(() => {}), delay(STALL_MS)]);
      }
      if (end !== null) return;
      release();
      end = 'closed';
      closing.abort();
      queue.fail(unavailable());
      await pumping;
      await machine.close();
    },
    abandon() {
      closing.abort();
      finish('lost');
    },
  };
}

/** After which lines it is told at once what the bot is worth: it begins or ends, has a result, or another account. */
function movesWorth(note: Note): boolean {
  return note.kind === 'status' || note.kind === 'position_closed' || isChange(note);
}

/** A pair on its way to be followed, or followed. */
interface Following {
  subscription: FeedSubscription | null;
  /** What it still brings is not wanted any more. */
  left: boolean;
}

/** What keeps a bot from its account, for its owner. */
function troubleText(error: unknown): Text {
  if (error instanceof CallError) {
    const { code, details } = error;
    return { zh: errorText(code, 'zh', details), en: errorText(code, 'en', details) };
  }
  const refused = error instanceof ExchangeRefused && error.about === 'not_allowed';
  const { zh, en } = ERRORS[refused ? 'key_refused' : 'exchange_unreachable'];
  return { zh, en };
}

function unavailable(): CallError {
  return new CallError('unavailable');
}
