import type { BotSummary } from '@heron/contract/bots/entities.ts';
import { isStopped } from '@heron/contract/bots/isStopped.ts';

/** Lists what can be done with several bots at once, in the order of the buttons. */
export const BULK_ACTS = ['start', 'stop', 'drain', 'close', 'remove'] as const;
export type BulkAct = (typeof BULK_ACTS)[number];

/** Names why an action leaves out a bot. */
export type LeftOut = 'live' | 'running' | 'stopped' | 'draining' | 'closing';

/** Describes the bots that an action applies to, and those that it leaves out. */
export interface BulkPlan {
  readonly targets: readonly BotSummary[];
  readonly leftOut: readonly { readonly bot: BotSummary; readonly why: LeftOut }[];
}

/** Divides the selected bots for an action. */
export function bulkPlan(act: BulkAct, selected: readonly BotSummary[]): BulkPlan {
  const judged = selected.map((bot) => ({ bot, why: reasonAgainst(act, bot) }));
  return {
    targets: judged.flatMap(({ bot, why }) => (why === null ? [bot] : [])),
    leftOut: judged.flatMap(({ bot, why }) => (why === null ? [] : [{ bot, why }])),
  };
}

/** The name of a live bot is typed whenever it is started or deleted. */
const liveReason = (mode: BotSummary['mode']): LeftOut | null => (mode === 'live' ? 'live' : null);

function reasonAgainst(act: BulkAct, { status, mode, draining, closing }: BotSummary): LeftOut | null {
  if (act === 'start') {
    if (!isStopped(status)) return 'running';
    return liveReason(mode);
  }
  if (act === 'remove') return isStopped(status) ? liveReason(mode) : 'running';
  if (isStopped(status)) return 'stopped';
  if (act === 'drain' && draining) return 'draining';
  return act === 'close' && closing ? 'closing' : null;
}
