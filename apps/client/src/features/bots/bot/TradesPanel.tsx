import type { BotDetail, Trade } from '@heron/contract/bots/entities.ts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useReader } from '../../../lib/reader.ts';
import { MoneyMoved } from '../../../ui/Figures.tsx';
import { MoreRows } from '../../../ui/MoreRows.tsx';
import { Empty, Problem, Skeleton } from '../../../ui/states.tsx';
import { tradesQuery } from '../queries.ts';
import { liquidityWord, reasonWord, sideWord } from '../words.ts';

/** Every trade with its reason, newest first; open one to see the fills that its figures are the sum of. */
export function TradesPanel({ bot }: { bot: BotDetail }) {
  const { t } = useReader();
  const { data, error, refetch, fetchNextPage, hasNextPage, isFetchingNextPage } = useInfiniteQuery(
    tradesQuery(bot.id),
  );
  if (!data)
    return error ? <Problem error={error} onRetry={() => void refetch()} /> : <Skeleton rows={4} height={56} />;
  const trades = data.pages.flatMap((page) => page.trades);
  return (
    <div className="card" data-testid="trades">
      {trades.length === 0 ? (
        <Empty title={t('trades.emptyTitle')} text={t('trades.emptyText')} />
      ) : (
        <ul className="rows" aria-label={t('trades.title')}>
          {trades.map((trade) => (
            <TradeRow key={trade.id} trade={trade} currency={bot.performance.currency} />
          ))}
        </ul>
      )}
      <MoreRows has={hasNextPage} busy={isFetchingNextPage} onMore={() => void fetchNextPage()} />
    </div>
  );
}

function TradeRow({ trade, currency }: { trade: Trade; currency: string }) {
  const reader = useReader();
  const { t, format } = reader;
  return (
    <li className="row" data-testid="trade-row" data-side={trade.side} data-reason={trade.reason}>
      <details>
        <summary>
          <span className="row-main">
            <span className={`side side-${trade.side}`}>{sideWord(trade.side, reader)}</span>
            <strong>{trade.pair}</strong>
            <span className="num">
              {format.quantity(trade.quantity)} @ {format.price(trade.averagePrice)}
            </span>
            <span className="row-end">
              {trade.realised === null ? null : <MoneyMoved value={trade.realised} currency={currency} />}
            </span>
          </span>
          <span className="row-note">
            {reasonWord(trade.reason, reader)} · <time className="num">{format.dateTime(trade.openedAt)}</time>
            {trade.closedAt === null && ` · ${t('trades.open')}`}
          </span>
        </summary>
        <dl className="facts">
          <div>
            <dt>{t('trades.fee')}</dt>
            <dd className="num">{format.money(trade.feeQuote, currency)}</dd>
          </div>
          <div>
            <dt>{t('trades.slippage')}</dt>
            <dd className="num">{format.signedPercent(trade.slippagePercent)}</dd>
          </div>
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
                liquidity: liquidityWord(fill.liquidity, reader),
              })}
            </li>
          ))}
        </ul>
      </details>
    </li>
  );
}
