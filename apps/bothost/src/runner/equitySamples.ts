import type { Database } from '@heron/database/connect.ts';
import { createBatchLoader } from '@heron/runtime/batchLoader.ts';
import { isDatabaseUnavailable } from '../http/errorResponse.ts';

/** Bots that run are asked what they are worth whenever a part of the clock of this length begins: a quarter of an hour. */
export const EQUITY_MS = 900_000;

/** Most bots in one statement, and how many statements are under way: no order waits for any of them. */
const SAMPLES = { maxItems: 256, maxConcurrent: 1 } as const;

/** What a bot was worth at a moment. Amounts are exact decimals in its product currency. */
export interface EquitySample {
  readonly bot: string;
  /** Of the worker that says so. */
  readonly fence: number;
  readonly at: number;
  /** @see docs/accounting.md#figures-of-a-bot */
  readonly total: string;
  /** @see docs/accounting.md#figures-of-a-bot */
  readonly start: string;
}

/** Keeps a sample. What a worker says that has lost the bot is not kept. */
export type SampleEquity = (sample: EquitySample) => Promise<void>;

/** Gives the function that keeps samples; those of the same moment go in one way to the database. */
export function createEquityWriter({ pool }: Database): SampleEquity {
  return createBatchLoader(
    async (samples: readonly EquitySample[]) => {
      await pool.query({ name: 'keep what bots are worth', text: KEEP, values: [JSON.stringify(samples)] });
      return samples.map(() => undefined);
    },
    { ...SAMPLES, failsAnyBatch: isDatabaseUnavailable },
  );
}

const KEEP = `
  insert into bots.equity (bot_id, venue, at, total, start)
  select given.bot, held.venue, given.at, given.total, given.start
  from json_to_recordset($1::json) as given(bot text, fence bigint, at bigint, total text, start text)
  join bots.snapshots as held on held.bot_id = given.bot and held.fence = given.fence
  on conflict (bot_id, at) do update set total = excluded.total, start = excluded.start`;
