import type { PaperSession } from '@heron/engine/paper/paperSession.ts';
import { type BotMachine, createPaperMachine } from '../runner/botMachine.ts';
import type { BotRow } from '../store/botRow.ts';
import type { HostedSession } from '../store/savedBot.ts';

/** The bots that a fleet runs, paper or live, and how they reach their exchange. */
export interface FleetKind {
  readonly mode: 'paper' | 'live';
  machine(row: BotRow, session: HostedSession): BotMachine;
  /**
   * Cancels all open orders of a bot at the exchange, without its saved state.
   *
   * @returns whether no order is open any more, and none can still arrive
   */
  sweep(row: BotRow): Promise<boolean>;
}

/** Bots on the simulated exchange. */
export const PAPER: FleetKind = {
  mode: 'paper',
  machine(_row, session) {
    // A live session would have no exchange here.
    if ('kind' in session.state) throw new TypeError('a live bot cannot run on paper');
    return createPaperMachine(session as PaperSession);
  },
  // Paper orders exist only in the state of the bot.
  sweep: async () => true,
};
