import type { BotSession } from '@heron/engine/session/botSession.ts';
import type { MarketFeed } from '@heron/exchanges/feed/feedTypes.ts';
import type { FundingEvent } from '@heron/exchanges/feed/fundingTracker.ts';
import type { Logger } from '../log.ts';

/**
 * Reads the funding payments of a paper bot's positions every `sync_trade_time`, so that a missed payment is booked while the
 * bot runs. The session itself audits its ledger and its prices.
 *
 * @param onPayment is called with every payment of the last day; the bot books those that it owes
 * @returns a function that ends it
 * @see docs/paper.md#audit
 */
export function startPaperSync(
  session: BotSession,
  feed: Pick<MarketFeed, 'payments'>,
  onPayment: (payment: FundingEvent) => void,
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
        if (!ended) for (const payment of payments) onPayment(payment);
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
