import type { AccountView } from '@heron/contract/bots/entities.ts';
import type { CommandResult } from '@heron/engine/bot/commandResult.ts';
import type { ExecutionEvent } from '@heron/engine/live/executionEvent.ts';
import { feedSession, nextTimer, type PaperSession } from '@heron/engine/paper/paperSession.ts';
import type { BotSession } from '@heron/engine/session/botSession.ts';
import type { Note } from '@heron/engine/session/journal.ts';
import type { MarketEvent } from '@heron/engine/state/botEvents.ts';

/** Result of one event. */
export interface MachineOutput {
  readonly notes: readonly Note[];
  /** Whether it must be committed before clients receive it and before anything is sent. */
  readonly durable: boolean;
  readonly result: CommandResult | null;
  /** Sends its requests. Is called after the commit, or at once when no commit is needed. */
  act?(): void;
}

/** A machine calls these of its runner while it is open. */
export interface MachineCallbacks {
  /** Receives the execution events in their order. */
  emit(event: ExecutionEvent): void;
  /** Is called with the fault that keeps the bot from its account; null once it is over. */
  onProblem(error: unknown): void;
  /** Is called with a pair that the bot counts in another unit than the exchange; null once no pair is left. */
  onUnitProblem(pair: string | null): void;
}

/** A bot with its exchange, simulated or real, as a runner drives it. */
export interface BotMachine {
  readonly session: BotSession;
  feed(event: MarketEvent | ExecutionEvent): MachineOutput;
  /** Returns when a `timer` event must be fed, in ms; null for never. */
  nextTimer(): number | null;
  /** Connects to the exchange, and resolves when market data may be fed. Is called once, when the bot is active. */
  open(callbacks: MachineCallbacks): Promise<void>;
  /** Returns the connection to its account; null for paper bots. */
  account(): Pick<AccountView, 'connection' | 'comparedAt'> | null;
  /** Disconnects: no event is emitted and no request is sent after it. */
  close(): Promise<void>;
}

/** Creates a bot on the simulated exchange, which needs no connection and sends no requests. */
export function createPaperMachine(session: PaperSession): BotMachine {
  return {
    session,
    feed: (event) => feedSession(session, event as MarketEvent),
    nextTimer: () => nextTimer(session),
    async open() {},
    account: () => null,
    async close() {},
  };
}
