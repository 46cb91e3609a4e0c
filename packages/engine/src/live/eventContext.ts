import type { BotSession } from '../session/botSession.ts';
import type { Effect } from '../state/botEvents.ts';
import type { LiveRequest } from './executionEvent.ts';
import type { LiveState } from './liveState.ts';

/** A live bot: its state, and what can be derived from it. */
export interface LiveSession extends BotSession {
  readonly state: LiveState;
  /** Since it was made or restored the account has been looked at. Before, it decides nothing. */
  synced: boolean;
  /** When orders ended, by client order id, the newest: an account snapshot that was asked for before may still list them. */
  readonly ended: Map<string, number>;
}

/** One event being handled. */
export interface EventContext {
  readonly session: LiveSession;
  readonly at: number;
  /** What the bot wants of its exchange; becomes orders and requests. */
  readonly effects: Effect[];
  readonly requests: LiveRequest[];
  /** Money, orders or state have changed. */
  durable: boolean;
}
