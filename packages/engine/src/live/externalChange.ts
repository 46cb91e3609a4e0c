import type { EventContext } from './eventContext.ts';

/** Changes that a bot did not cause or expect. @see docs/accounting.md#reconciliation */
export const EXTERNAL_CHANGES = [
  'capital',
  'adjust',
  'transfer',
  'foreign',
  'late_fill',
  'order_absent',
  'order_refused',
  'order_expired',
  'stop_gone',
  'stop_in_part',
  'no_stop',
  'unknown_order',
  'adopted',
  'liquidated',
  'deleveraged',
  'leverage',
  'settings',
  'key_may_withdraw',
  'key_may_not_withdraw',
  'key_refused',
  'key_accepted',
  'address_banned',
  'ban_over',
] as const;

export type ExternalChange = (typeof EXTERNAL_CHANGES)[number];

/**
 * Records a change that the bot did not cause or expect in the journal.
 *
 * @see docs/accounting.md#reconciliation
 */
export function recordExternalChange(
  context: EventContext,
  pair: string | null,
  data: Record<string, string | number | boolean | null> & { what: ExternalChange },
): void {
  context.durable = true;
  context.session.notes.push({ at: context.at, pair, kind: 'external', data });
}
