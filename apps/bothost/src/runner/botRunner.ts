import type { BotDetail, CandleHistory } from '@heron/contract/bots/entities.ts';
import type { CommandResult } from '@heron/engine/bot/commandResult.ts';
import type { OrderPreview, PreviewedOrder } from '@heron/engine/preview/previewOrder.ts';
import type { Command } from '@heron/engine/state/botEvents.ts';
import type { BotStatus } from '@heron/engine/state/botState.ts';

/** One running bot. */
export interface BotRunner {
  readonly id: string;
  readonly owner: string;
  /** Returns why the runner ended; null while it runs, and after `close`. */
  ended(): RunnerEnd | null;
  /** Returns the status of its session, which may not be committed yet. */
  status(): BotStatus;
  /** Resolves once the effects of the command are committed. */
  command(command: Command): Promise<CommandResult | null>;
  /** Returns what an order would do now; null when the bot does not have the pair. Nothing changes. */
  previewOrder(order: PreviewedOrder): OrderPreview | null;
  /** Returns the committed state. */
  detail(): Promise<BotDetail>;
  /** Shows a new name, which its row in the database already has. */
  rename(name: string): void;
  candles(pair: string): CandleHistory | null;
  /** Returns the names of the pairs that it trades or manages. */
  pairs(): readonly string[];
  /** Whether the kill switch sells a position that is not sold yet. */
  selling(): boolean;
  /** Saves the bot and stops the runner. */
  close(): Promise<void>;
  /** Stops the runner at once, because another worker owns the bot, or may own it. Nothing is saved, sent or pushed after it. */
  abandon(): void;
}

/** The reason why a runner ended by itself. */
export type RunnerEnd = 'finished' | 'lost' | 'failed';
