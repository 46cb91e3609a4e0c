import type { AccountView } from '@heron/contract/bots/entities.ts';
import type { CommandResult } from '@heron/engine/bot/commandResult.ts';
import type { ExecutionEvent } from '@heron/engine/live/executionEvent.ts';
import { feedSession, nextTimer, type PaperSession } from '@heron/engine/paper/paperSession.ts';
import type { BotSession } from '@heron/engine/session/botSession.ts';
import type { Note } from '@heron/engine/session/journal.ts';
import type { MarketEvent } from '@heron/engine/state/botEvents.ts';

/** What handling one event came to. */
export interface MachineOutput {
  readonly notes: readonly Note[];
  /** Must be committed before anybody is told and before anything is sent. */
  readonly durable: boolean;
  readonly result: CommandResult | null;
  /** What to do once it is committed, or at once when nothing has to be. */
  act?(): void;
}

/** A bot with its exchange, simulated or real, as a runner drives it. */
export interface BotMachine {
  readonly session: BotSession;
  feed(event: MarketEvent | ExecutionEvent): MachineOutput;
  /** When a `timer` event should be fed; null for never. */
  nextTimer(): number | null;
  /**
   * Begins to hear the exchange; resolves when market data may come. Called once, when the bot is active.
   *
   * @param tell takes what the exchange tells, in the order of its coming
   * @param trouble told what keeps the bot from its exchange; null when nothing does any more
   */
  open(tell: (event: ExecutionEvent) => void, trouble: (error: unknown) => void): Promise<void>;
  /** How it hears of its account; null where there is none. */
  account(): Pick<AccountView, 'connection' | 'comparedAt'> | null;
  /** Hears and sends nothing more. */
  close(): Promise<void>;
}

/** A bot on the simulated exchange: there is nothing to open, and nothing that could send. */
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
