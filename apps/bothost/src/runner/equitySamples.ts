import type { Database } from '@heron/database/connect.ts';
import { createBatchLoader } from '@heron/runtime/batchLoader.ts';
import { isDatabaseUnavailable } from '../http/errorResponse.ts';

/** The equity of running bots is sampled at every multiple of this interval: a quarter of an hour. */
export const EQUITY_MS = 900_000;

/** Limits of the batches; no order waits for them. */
const SAMPLES = { maxItems: 256, maxConcurrent: 1 } as const;

/** The equity of a bot at one time. Amounts are exact decimals in its product currency. */
export interface EquitySample {
  readonly bot: string;
  /** Fencing token of the worker that writes it. */
  readonly fence: number;
  readonly at: number;
  /** @see docs/accounting.md#figures-of-a-bot */
  readonly total: string;
  /** @see docs/accounting.md#figures-of-a-bot */
  readonly start: string;
}

/** Stores a sample, unless another worker owns the bot by now. */
export type SampleEquity = (sample: EquitySample) => Promise<void>;

/** Creates the function that stores samples; samples of the same moment share one round trip. */
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
