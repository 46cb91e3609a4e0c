import { startCapitalOf } from '@heron/engine/ledger/wallet.ts';
import { formatUnits } from '@heron/engine/money/units.ts';
import type { BotSession } from '@heron/engine/session/botSession.ts';
import { equityOf } from '@heron/engine/state/equity.ts';
import type { Logger } from '../log.ts';
import { EQUITY_MS, type SampleEquity } from './equitySamples.ts';

/** Writes samples of the equity of one bot. */
export interface EquitySampler {
  /** Writes a sample. Nothing waits for it, and a failed write is not repeated. */
  sample(): void;
  /** Whether an interval of {@link EQUITY_MS} has begun since the last sample. */
  isDue(): boolean;
}

export function createEquitySampler(
  { row, fence }: { readonly row: { readonly id: string }; readonly fence: number },
  session: BotSession,
  {
    sampleEquity,
    now,
    log,
  }: { readonly sampleEquity: SampleEquity; now(): number; readonly log: Pick<Logger, 'info'> },
): EquitySampler {
  let sampledAt = 0;
  return {
    sample() {
      const { wallet } = session.state.bot;
      // A live bot has no equity before it has read its account.
      if (wallet.start === 0 && wallet.transfers === 0) return;
      sampledAt = now();
      const equity = { total: formatUnits(equityOf(session.bot)), start: formatUnits(startCapitalOf(wallet)) };
      sampleEquity({ bot: row.id, fence, at: sampledAt, ...equity }).catch((error: unknown) =>
        log.info({ err: error }, 'a sample of the equity could not be written'),
      );
    },
    isDue: () => Math.floor(now() / EQUITY_MS) !== Math.floor(sampledAt / EQUITY_MS),
  };
}
