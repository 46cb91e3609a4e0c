import type { BotSession } from '../session/botSession.ts';
import type { Effect } from '../state/botEvents.ts';
import type { LiveRequest } from './executionEvent.ts';
import type { LiveState } from './liveState.ts';

/** A live bot: its state and all that is derived from it. */
export interface LiveSession extends BotSession {
  readonly state: LiveState;
  /** An account snapshot was applied since the session was created or restored. The bot decides nothing before. */
  synced: boolean;
  /** End times of the newest ended orders by client order id; a snapshot that was requested earlier may still list them. */
  readonly ended: Map<string, number>;
}

/** Context of the event that is being handled. */
export interface EventContext {
  readonly session: LiveSession;
  readonly at: number;
  /** Orders to place and cancel; they become tracked orders and requests. */
  readonly effects: Effect[];
  readonly requests: LiveRequest[];
  /** Money, orders or state have changed. */
  durable: boolean;
}
