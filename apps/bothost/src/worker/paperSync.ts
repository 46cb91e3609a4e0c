import type { BotSession } from '@heron/engine/simulate/botSession.ts';
import type { FundingEvent } from '@heron/exchanges/feed/fundingWatch.ts';
import type { MarketFeed } from '@heron/exchanges/feed/marketFeed.ts';
import type { Logger } from '../log.ts';

/**
 * Asks in each `sync_trade_time` for the funding of what a paper bot holds, so that a payment that was missed is booked
 * while the bot runs. Its ledger and its prices are audited by the session itself.
 *
 * @param hear takes every payment of the last day; the bot books those that it owes
 * @returns ends it
 * @see options.md 4.1 sync_trade_time
 */
export function startPaperSync(
  session: BotSession,
  feed: Pick<MarketFeed, 'payments'>,
  hear: (payment: FundingEvent) => void,
  log: Pick<Logger, 'info'>,
): () => void {
  let ended = false;
  let timer = plan();

  function plan(): NodeJS.Timeout {
    return setTimeout(() => void sync(), session.state.bot.options.sync_trade_time);
  }

  async function sync(): Promise<void> {
    const held = session.state.bot.pairs.filter(({ position }) => session.bot.rules.future && position !== null);
    for (const { pair } of held) {
      try {
        const payments = await feed.payments(pair);
        if (!ended) for (const payment of payments) hear(payment);
      } catch (error) {
        log.info({ err: error, pair }, 'the funding of a pair could not be compared');
      }
    }
    if (!ended) timer = plan();
  }

  return () => {
    ended = true;
    clearTimeout(timer);
  };
}
