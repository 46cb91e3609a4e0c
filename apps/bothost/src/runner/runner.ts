import { setTimeout as delay } from 'node:timers/promises';
import type { BotDetail, CandleHistory } from '@heron/contract/bots/entities.ts';
import { CallError } from '@heron/contract/http/errors.ts';
import type { Text } from '@heron/contract/locales/text.ts';
import type { CommandResult } from '@heron/engine/bot/commandResult.ts';
import { type OrderPreview, type PreviewedOrder, previewOrder } from '@heron/engine/preview/previewOrder.ts';
import type { BotSession } from '@heron/engine/session/botSession.ts';
import type { Note } from '@heron/engine/session/journal.ts';
import { candleHistory } from '@heron/engine/session/sessionView.ts';
import { AssetUnitChanged } from '@heron/engine/state/adoptMarket.ts';
import type { Command } from '@heron/engine/state/botEvents.ts';
import type { BotStatus } from '@heron/engine/state/botState.ts';
import { isWatched } from '@heron/engine/state/pairActivity.ts';
import type { Logger } from '../log.ts';
import { type BotViewDeps, botDetail } from '../store/botView.ts';
import { isActive } from '../store/status.ts';
import { accountProblem } from './accountProblem.ts';
import { assetUnitProblem } from './assetUnitProblem.ts';
import { type Availability, createAvailability } from './availability.ts';
import { isChange, type TakenBot } from './botJournal.ts';
import type { BotMachine, MachineOutput } from './botMachine.ts';
import { type BotPushes, createBotPushes } from './botPushes.ts';
import type { BotRunner, RunnerEnd } from './botRunner.ts';
import { createEquitySampler, type EquitySampler } from './equitySampler.ts';
import { createEventClock, type EventClock } from './eventClock.ts';
import { createEventPump, type EventPump } from './eventPump.ts';
import { createEventQueue, type EventQueue, type QueueItem } from './eventQueue.ts';
import { createJournalWriter, type JournalWriter } from './journalWriter.ts';
import { createMarketSubscriptions, type MarketSubscriptions } from './marketSubscriptions.ts';
import { startPaperSync } from './paperSync.ts';
import type { RunnerDeps, RunnerLease } from './runnerDeps.ts';
import { openTape, type Tape } from './tape.ts';
import { createWakeTimer, type WakeTimer } from './wakeTimer.ts';

/** A runner that closes waits at most this time for its last write. */
const CLOSE_MS = 1_000;

const PROGRAM_ERROR: Text = {
  zh: '程序出现内部错误，机器人已中止，请查看日志',
  en: 'The bot has halted because of a program error. See the log',
};

/** The reason why a runner stopped. */
type RunnerStop = RunnerEnd | 'closed';

/** Sources of problems, the most severe first: only the problem of the first is shown. */
const PROBLEM_SOURCES = ['program', 'account', 'unit', 'market'] as const;
type ProblemSource = (typeof PROBLEM_SOURCES)[number];

/**
 * Runs a bot that this worker has taken over: one queue, one event at a time. The changes of an event to money, orders or
 * state are committed before clients receive them and before the next event is handled.
 *
 * @param machine restored from the saved session
 * @param lease is checked before every event and every request to the exchange. A process that was frozen therefore detects that
 *   it has lost the bot before it acts.
 * @param onEnd is called once, when the bot has finished, is lost to another worker, or the program failed
 * @see docs/bot-lifecycle.md#events-and-timers
 */
export function startBotRunner(
  taken: TakenBot,
  machine: BotMachine,
  deps: RunnerDeps,
  lease: RunnerLease,
  onEnd: (why: RunnerEnd) => void,
): BotRunner {
  return new Runner(taken, machine, deps, lease, onEnd);
}

class Runner implements BotRunner {
  readonly id: string;
  readonly owner: string;
  readonly #taken: TakenBot;
  readonly #machine: BotMachine;
  readonly #session: BotSession;
  readonly #deps: RunnerDeps;
  readonly #lease: RunnerLease;
  readonly #onEnd: (why: RunnerEnd) => void;
  readonly #log: Logger;
  readonly #tape: Tape | null;
  readonly #closing = new AbortController();
  readonly #clock: EventClock;
  readonly #journal: JournalWriter;
  readonly #queue: EventQueue;
  readonly #pump: EventPump;
  readonly #wakeTimer: WakeTimer;
  readonly #subscriptions: MarketSubscriptions;
  readonly #availability: Availability;
  readonly #sampler: EquitySampler;
  readonly #pushes: BotPushes;
  readonly #endPaperSync: () => void;
  #heartbeat: NodeJS.Timeout;
  #end: RunnerStop | null = null;
  /**
   * Current problems: a fault of the program, an account that cannot be reached or whose key is refused, a pair in another unit, no
   * market data.
   */
  readonly #problems = new Map<ProblemSource, Text>();
  #exchange: 'closed' | 'opening' | 'open' = 'closed';

  constructor(
    taken: TakenBot,
    machine: BotMachine,
    deps: RunnerDeps,
    lease: RunnerLease,
    onEnd: (why: RunnerEnd) => void,
  ) {
    const { row } = taken;
    const { session } = machine;
    const { feed, now } = deps;
    this.id = row.id;
    this.owner = row.owner;
    this.#taken = taken;
    this.#machine = machine;
    this.#session = session;
    this.#deps = deps;
    this.#lease = lease;
    this.#onEnd = onEnd;
    this.#log = deps.log.child({ bot: row.id });
    this.#tape = deps.tapes === null ? null : openTape(deps.tapes, row.id, taken.session);
    this.#clock = createEventClock(now);
    this.#journal = this.#openJournal();
    this.#queue = createEventQueue(this.#journal.isStalled);
    this.#pump = createEventPump({
      queue: this.#queue,
      handle: (item) => (lease.isValid() ? this.#handle(item) : this.#handleWhenConfirmed(item)),
      hasEnded: this.#hasEnded,
      onIdle: this.#planTimer,
      onFault: this.#onFault,
    });
    this.#wakeTimer = createWakeTimer(machine.nextTimer, now, () =>
      this.#enqueue({ event: { type: 'timer', at: this.#clock.stamp() } }),
    );
    this.#subscriptions = this.#openSubscriptions();
    this.#availability = createAvailability(machine, this.#subscriptions);
    this.#sampler = createEquitySampler(taken, session, { sampleEquity: deps.sampleEquity, now, log: this.#log });
    this.#pushes = createBotPushes(row, session, deps.broadcast, now, this.#viewDeps);
    const isPaper = session.state.bot.options.mode === 'paper';
    this.#endPaperSync = isPaper ? startPaperSync(session, feed, this.#subscriptions.onEvent, this.#log) : () => {};
    this.#heartbeat = this.#startHeartbeat();
    this.#planTimer();
    if (isActive(session.state.bot.status)) this.#subscribe();
  }

  ended(): RunnerEnd | null {
    return this.#end === 'closed' ? null : this.#end;
  }

  status(): BotStatus {
    return this.#session.state.bot.status;
  }

  command(command: Command): Promise<CommandResult | null> {
    const answer = Promise.withResolvers<CommandResult | null>();
    this.#enqueue({ event: { type: 'command', at: this.#clock.stamp(), command }, answer });
    return answer.promise;
  }

  previewOrder(order: PreviewedOrder): OrderPreview | null {
    return previewOrder(this.#session, order, this.#deps.now());
  }

  async detail(): Promise<BotDetail> {
    await this.#journal.settled();
    return botDetail(this.#taken.row, this.#session, this.#viewDeps(), this.#deps.now());
  }

  rename(name: string): void {
    this.#taken.row.name = name;
    this.#pushes.refresh();
  }

  candles(pair: string): CandleHistory | null {
    return candleHistory(this.#session, pair);
  }

  pairs(): readonly string[] {
    return this.#session.state.bot.pairs.filter(isWatched).map(({ pair }) => pair);
  }

  selling(): boolean {
    return this.#session.state.bot.pairs.some(({ paused, exit }) => paused === 'manual' && exit !== null);
  }

  async close(): Promise<void> {
    if (this.#end === null) {
      // The save is last in the queue, so that all earlier events are handled.
      const saved = Promise.withResolvers<CommandResult | null>();
      this.#enqueue({ event: null, answer: saved });
      await Promise.race([saved.promise.catch(() => {}), delay(CLOSE_MS)]);
    }
    if (this.#end !== null) return;
    this.#release();
    this.#end = 'closed';
    this.#closing.abort();
    this.#queue.fail(unavailable());
    await this.#pump.settled();
    await this.#machine.close();
  }

  abandon(): void {
    this.#closing.abort();
    this.#finish('lost');
  }

  readonly #hasEnded = (): boolean => this.#end !== null;

  #openJournal(): JournalWriter {
    const { writeBot, now } = this.#deps;
    return createJournalWriter(this.#taken, {
      ...{ session: this.#session, writeBot, log: this.#log, now, closing: this.#closing.signal },
      hasEnded: this.#hasEnded,
      isLeaseValid: () => this.#lease.isValid(),
      requestCommit: () => this.#enqueue({ event: null }),
      onFlushed: (notes, from) => this.#pushes.committed(notes, from),
      onLost: () => this.#finish('lost'),
      onFault: this.#onFault,
    });
  }

  #openSubscriptions(): MarketSubscriptions {
    const { feed, now } = this.#deps;
    return createMarketSubscriptions({
      ...{ session: this.#session, feed, clock: this.#clock, log: this.#log, now, closing: this.#closing.signal },
      enqueue: (event, outdated) => this.#enqueue({ event, ...(outdated && { outdated }) }),
      onMarketEvent: (event) => {
        if (event.type === 'forming') this.#pushes.formingCandle(event.pair, event.candle);
        if (event.type === 'quote') this.#pushes.quote(event);
      },
      onProblem: (problem) => this.#setProblem('market', problem),
      onFault: this.#onFault,
    });
  }

  readonly #viewDeps = (): BotViewDeps => ({
    problem: this.#shownProblem(),
    failed: this.#end === 'failed',
    account: this.#machine.account(),
    pause: this.#deps.pause(),
  });

  /** @param problem null when it is solved */
  #setProblem(source: ProblemSource, problem: Text | null): void {
    if (problem === null) this.#problems.delete(source);
    else this.#problems.set(source, problem);
    this.#pushes.summary();
  }

  #shownProblem(): Text | null {
    const source = PROBLEM_SOURCES.find((candidate) => this.#problems.has(candidate));
    return source === undefined ? null : (this.#problems.get(source) ?? null);
  }

  #enqueue(item: QueueItem): void {
    if (this.#end !== null) {
      item.answer?.reject(unavailable());
      return;
    }
    this.#queue.put(item);
    this.#pump.start();
  }

  async #handleWhenConfirmed(item: QueueItem): Promise<void> {
    if (await this.#confirmLease()) await this.#handle(item);
    else item.answer?.reject(unavailable());
  }

  /** Waits until the lease is certainly valid. Stale market events are dropped meanwhile, as during a slow write. */
  async #confirmLease(): Promise<boolean> {
    if (await this.#journal.block(() => this.#lease.confirm())) return true;
    this.#finish('lost');
    return false;
  }

  /** Feeds one event. @returns a promise when it has to be committed */
  #handle(item: QueueItem): Promise<void> | null {
    const { event, answer } = item;
    if (event === null) return this.#commit(item, null);
    if (item.outdated?.()) return null;
    if (event.type === 'timer') this.#wakeTimer.onHandled();
    this.#tape?.record(event);
    let output: MachineOutput;
    try {
      output = this.#machine.feed(event);
    } catch (error) {
      answer?.reject(unavailable());
      throw error;
    }
    this.#journal.add(output.notes);
    if (output.durable) return this.#commit(item, output);
    output.act?.();
    answer?.resolve(output.result);
    this.#journal.scheduleFlush();
    if (event.type === 'candle') this.#pushes.closedCandle(event.pair, event.candle);
    return null;
  }

  async #commit({ event, answer }: QueueItem, output: MachineOutput | null): Promise<void> {
    const { notes, from } = await this.#journal.commit().catch((error: unknown) => {
      answer?.reject(unavailable());
      throw error;
    });
    if (this.#hasEnded()) {
      answer?.reject(unavailable());
      return;
    }
    // Requests are sent only after the commit, so that a crash loses none of them, and only while the lease is still valid.
    if (output?.act && !this.#lease.isValid() && !(await this.#confirmLease())) {
      answer?.reject(unavailable());
      return;
    }
    output?.act?.();
    answer?.resolve(output?.result ?? null);
    if (this.#hasEnded()) return;
    this.#pushes.committed(notes, from);
    if (notes.some(changesEquity)) this.#sampler.sample();
    if (event?.type === 'candle') this.#pushes.closedCandle(event.pair, event.candle);
    if (notes.some(isChange)) this.#applyChange();
    if (isActive(this.status())) this.#subscribe();
    else if (notes.some(({ kind }) => kind === 'status')) this.#finish('finished');
  }

  /** Stops this bot after an error of the program. Other bots continue. */
  readonly #onFault = (error: unknown): void => {
    if (this.#closing.signal.aborted) return;
    const { row, fence } = this.#taken;
    this.#log.error({ err: error }, 'the bot is stopped by a fault');
    const isUnit = error instanceof AssetUnitChanged;
    this.#problems.set('program', isUnit ? assetUnitProblem(error.pair, error.mode) : PROGRAM_ERROR);
    this.#finish('failed');
    // A running flush must end first, because the fault would take the number of its first entry.
    this.#journal
      .flushed()
      .then(() => this.#deps.writeFault(row, fence, this.#deps.now()))
      .then((written) => written && this.#pushes.notifications([written.note], written.seq - 1))
      .catch((cause: unknown) => this.#log.error({ err: cause }, 'the fault could not be written into the journal'));
  };

  #finish(why: RunnerEnd): void {
    if (this.#end !== null) return;
    this.#release();
    this.#end = why;
    this.#queue.fail(unavailable());
    // The worker that owns a lost bot now publishes its status.
    if (why !== 'lost') this.#pushes.summary();
    this.#onEnd(why);
  }

  #release(): void {
    clearInterval(this.#heartbeat);
    this.#endPaperSync();
    this.#journal.close();
    this.#wakeTimer.close();
    this.#subscriptions.close();
    this.#machine.close().catch((error: unknown) => this.#log.warn({ err: error }, 'the account could not be closed'));
    this.#pushes.close();
  }

  readonly #planTimer = (): void => {
    if (this.#end === null) this.#wakeTimer.plan();
  };

  #startHeartbeat(): NodeJS.Timeout {
    return setInterval(() => this.#onHeartbeat(), this.#session.state.bot.options.poll_broadcast_time);
  }

  #onHeartbeat(): void {
    if (this.#end !== null || this.#journal.isBlocked()) return;
    const { now } = this.#deps;
    const { status, options } = this.#session.state.bot;
    this.#pushes.refresh();
    const outages = isActive(status) ? this.#availability.check(now()) : [];
    if (outages.length > 0) {
      this.#journal.add(outages);
      this.#enqueue({ event: null });
    }
    if (this.#sampler.isDue() && isActive(status)) this.#sampler.sample();
    if (now() - this.#journal.savedAt() >= options.save_bot_time) this.#enqueue({ event: null });
  }

  /** Opens the exchange, with retries, and then subscribes to market data. */
  #openExchange(): void {
    if (this.#exchange !== 'closed') return;
    this.#exchange = 'opening';
    this.#machine
      .open({
        emit: (event) => this.#enqueue({ event: { ...event, at: this.#clock.stamp() } }),
        onProblem: this.#onAccountProblem,
        onUnitProblem: this.#onUnitProblem,
      })
      .then(() => {
        this.#exchange = 'open';
        if (this.#end === null) this.#subscribe();
      })
      .catch(this.#onFault);
  }

  readonly #onAccountProblem = (error: unknown): void => {
    if (this.#end !== null) return;
    if (error !== null) this.#log.warn({ err: error }, 'the account cannot be reached');
    this.#setProblem('account', error === null ? null : accountProblem(error));
  };

  readonly #onUnitProblem = (pair: string | null): void => {
    if (this.#end === null) this.#setProblem('unit', pair === null ? null : assetUnitProblem(pair, 'live'));
  };

  #subscribe(): void {
    if (this.#exchange === 'open') this.#subscriptions.update();
    else this.#openExchange();
  }

  #applyChange(): void {
    this.#subscriptions.dropReloading();
    clearInterval(this.#heartbeat);
    this.#heartbeat = this.#startHeartbeat();
  }
}

/** Whether the equity is sampled after this entry: the bot starts or stops, closes a position, or gets another account. */
function changesEquity(note: Note): boolean {
  return note.kind === 'status' || note.kind === 'position_closed' || isChange(note);
}

function unavailable(): CallError {
  return new CallError('unavailable');
}
