import type { ExecutionEvent } from '@heron/engine/live/executionEvent.ts';
import type { LiveState } from '@heron/engine/live/liveState.ts';
import type { OwnFill } from '@heron/engine/live/report.ts';
import type { AccountEvent } from '@heron/exchanges/trading.ts';
import { unitsUp } from '@heron/exchanges/venue/amounts.ts';
import type { Logger } from '../log.ts';
import type { ContractSetup } from './contractSetup.ts';
import type { SyncSchedule } from './syncSchedule.ts';

/** Dependencies for handling the account events of one live bot. */
export interface AccountEventHandlerDeps {
  readonly state: LiveState;
  /** The currency of the bot, such as `USDT`. */
  readonly currency: string;
  readonly log: Logger;
  readonly setup: ContractSetup;
  readonly syncs: SyncSchedule;
  now(): number;
  /** Returns a fill with its fee converted to quote units. */
  withFeeInQuote(fill: OwnFill): Promise<OwnFill>;
  closed(): boolean;
  emit(event: ExecutionEvent): void;
}

/** Turns the events of an account stream into execution events of a bot, and reads a snapshot where events were missed. */
export function createAccountEventHandler(deps: AccountEventHandlerDeps): (event: AccountEvent) => void {
  const { state, currency, log, setup, syncs, closed, emit, now } = deps;
  return (event) => {
    if (closed()) return;
    switch (event.type) {
      case 'connected':
        setup.setStreaming(true);
        // Events were missed while the stream was disconnected.
        syncs.syncFromNow();
        break;
      case 'lost':
        log.info({ err: event.error }, 'the account stream is disconnected');
        setup.setStreaming(false);
        syncs.schedule();
        break;
      case 'changed':
        syncs.syncFromNow();
        break;
      case 'order':
        emit({ type: 'order_report', at: now(), report: event.report });
        break;
      case 'fill':
        if (!event.fill.clientOrderId.startsWith(`${state.bot.id}-`)) setup.invalidate(event.fill.pair);
        deps.withFeeInQuote(event.fill).then(
          (fill) => {
            if (!closed()) emit({ type: 'fills', at: now(), fills: [fill] });
          },
          // The next account snapshot contains the fill again.
          (error: unknown) => log.warn({ err: error }, 'a fill could not be valued'),
        );
        break;
      case 'balances': {
        const own = event.balances.find(({ asset }) => asset === currency);
        if (own) emit({ type: 'free_balance', at: now(), free: unitsUp(own.free) });
      }
    }
  };
}
