import type { BotDetail, Trade } from '@heron/contract/bots/entities.ts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { liquidityLabel } from '../../entities/bot/labels.ts';
import { usePricePreferences } from '../../entities/bot/priceFormat.tsx';
import { tradesQuery } from '../../entities/bot/queries.ts';
import { slippageText } from '../../entities/bot/slippageText.ts';
import { TradeSummary } from '../../entities/bot/TradeSummary.tsx';
import { usePreferences } from '../../lib/preferences.ts';
import { PagedList } from '../../ui/PagedList.tsx';
import { Empty } from '../../ui/states.tsx';

/** Lists all trades with their reasons, newest first. An opened trade shows its fills. */
export function TradesPanel({ bot }: { bot: BotDetail }) {
  const { t } = usePreferences();
  const pages = useInfiniteQuery(tradesQuery(bot.id));
  return (
    <PagedList
      pages={pages}
      rows={pages.data?.pages.flatMap((page) => page.trades)}
      row={(trade) => <TradeRow key={trade.id} trade={trade} currency={bot.performance.currency} />}
      empty={<Empty title={t('trades.emptyTitle')} text={t('trades.emptyText')} />}
      rowHeight={56}
      label={t('trades.title')}
      testId="trades"
    />
  );
}

function TradeRow({ trade, currency }: { trade: Trade; currency: string }) {
  const preferences = usePricePreferences(trade.pair);
  const { t, format } = preferences;
  return (
    <li className="row" data-testid="trade-row" data-side={trade.side} data-reason={trade.reason}>
      <details>
        <summary>
          <TradeSummary trade={trade} currency={currency} more={trade.closedAt === null && ` · ${t('trades.open')}`} />
        </summary>
        <dl className="facts">
          <div>
            <dt>{t('trades.fee')}</dt>
            <dd className="num">{format.money(trade.feeQuote, currency)}</dd>
          </div>
          <div>
            <dt>{t('trades.slippage')}</dt>
            <dd className="num">
              {slippageText(trade.slippagePercent, format.percent(Math.abs(trade.slippagePercent)), preferences)}
            </dd>
          </div>
          {typeof trade.leverage === 'number' && (
            <div data-testid="trade-leverage">
              <dt>{t('trades.leverage')}</dt>
              <dd className="num">{leverageText(trade.leverage, trade.askedLeverage)}</dd>
            </div>
          )}
        </dl>
        <ul className="fills" aria-label={t('trades.fills')}>
          {trade.fills.map((fill) => (
            <li key={fill.id} className="num">
              {t('trades.fill', {
                time: format.dateTime(fill.at),
                quantity: format.quantity(fill.quantity),
                price: format.price(fill.price),
                fee: format.quantity(fill.fee),
                asset: fill.feeAsset,
                liquidity: liquidityLabel(fill.liquidity, preferences),
              })}
            </li>
          ))}
        </ul>
      </details>
    </li>
  );

  function leverageText(leverage: number, asked: number | null): string {
    if (asked === null || asked <= leverage) return t('trades.leverageOf', { leverage });
    return t('trades.leverageLowered', { leverage, asked });
  }
}
