import type { MarketFeed } from '@heron/exchanges/feed/feedTypes.ts';
import type { Pause } from '@heron/exchanges/net/pause.ts';
import type { Logger } from '../log.ts';
import type { TakenBot, WriteBot, writeFault } from './botJournal.ts';
import type { Broadcast } from './broadcast.ts';
import type { SampleEquity } from './equitySamples.ts';

/** Dependencies of a runner. */
export interface RunnerDeps {
  readonly writeBot: WriteBot;
  /** Writes that the program failed, as {@link writeFault}. */
  writeFault(row: TakenBot['row'], fence: number, at: number): ReturnType<typeof writeFault>;
  readonly sampleEquity: SampleEquity;
  readonly feed: MarketFeed;
  /** Returns the pause that the exchange has demanded; null while it accepts requests. */
  pause(): Pause | null;
  readonly broadcast: Broadcast;
  /** Folder of the tapes; null for none. */
  readonly tapes: string | null;
  readonly log: Logger;
  now(): number;
}

/** The lease of a bot, as its runner uses it. */
export interface RunnerLease {
  /** Whether the lease is certainly valid now. Sends no request, so every event can check it. */
  isValid(): boolean;
  /** Sends requests until the result is certain. @returns false when another worker owns the bot, or may own it */
  confirm(): Promise<boolean>;
}
