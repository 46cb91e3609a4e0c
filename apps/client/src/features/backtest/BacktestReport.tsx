import { backtestMoney } from '@heron/contract/bots/backtestMoney.ts';
import { venueTitle } from '@heron/contract/locales/venueTexts.ts';
import { useMemo, useState } from 'react';
import { EnvironmentBadge } from '../../entities/bot/badges.tsx';
import { EquityCurve } from '../../entities/bot/equity/EquityCurve.tsx';
import { GridStats } from '../../entities/bot/GridStats.tsx';
import { planNameOf } from '../../entities/bot/planName.ts';
import { Prices } from '../../entities/bot/priceFormat.tsx';
import type { ChartPreviewSlot } from '../../entities/bot/slots.ts';
import { TradeSummary } from '../../entities/bot/TradeSummary.tsx';
import { usePreferences } from '../../lib/preferences.ts';
import { saveFile } from '../../lib/saveFile.ts';
import { Button } from '../../ui/Button.tsx';
import { MoreRows } from '../../ui/MoreRows.tsx';
import type { Missing } from './missing.ts';
import { ReportChart, type ShownTrade } from './ReportChart.tsx';
import { ReportFigures } from './ReportFigures.tsx';
import { ReportTables } from './ReportTables.tsx';
import type { BacktestResult } from './runBacktest.ts';
import { tradeRows } from './tradeRows.ts';

/** Number of trades per page. */
const ROWS = 25;
const HOUR_MS = 3_600_000;

interface ReportProps {
  readonly result: BacktestResult;
  /** Name of the bot. */
  readonly name: string;
  readonly ChartPreview: ChartPreviewSlot;
}

/**
 * Shows the result of a backtest: figures compared with buy and hold, the results by pair, reason and month, the chart
 * with its trades, the equity curve, all trades, and the limits of the simulation.
 */
export function BacktestReport({ result, name, ChartPreview }: ReportProps) {
  const { t, format, language } = usePreferences();
  const { document, worth, missing, plan } = result;
  const { metrics, options } = document;
  const currency = options.product_currency;
  const [shown, setShown] = useState<ShownTrade | null>(null);
  return (
    <div className="backtest-report" data-testid="backtest-report">
      <p className="badges" data-testid="backtest-money">
        <EnvironmentBadge venue={options.exchange} />
        <span>
          {t('backtest.money', {
            venue: venueTitle(options.exchange)[language],
            money: backtestMoney(options.exchange, 'venue')[language],
          })}
        </span>
      </p>
      <p className="row-note">
        {t('backtest.span', { from: format.dateTime(worth[0]?.at ?? plan.begin), to: format.dateTime(document.to) })}
      </p>
      <MissingNote missing={missing} begin={plan.begin} />
      <Prices mask={options.price_format} ticks={result.ticks} plan={planNameOf(document.strategy, document.params)}>
        <div className="backtest-columns">
          <div className="backtest-column">
            <ReportFigures result={result} />
            {metrics.grid && <GridStats grid={metrics.grid} currency={currency} />}
            <ReportTables document={document} />
          </div>
          <div className="backtest-column">
            <ReportChart result={result} shown={shown} onPair={() => setShown(null)} ChartPreview={ChartPreview} />
            {worth.length > 1 && <EquityCurve worth={worth} currency={currency} />}
            <Trades result={result} currency={currency} onShow={setShown} />
          </div>
        </div>
      </Prices>
      <p className="row-note">{t(metrics.trades === 0 ? 'backtest.noTrades' : 'backtest.notKnown')}</p>
      <p className="row-note">{t('backtest.noPromise')}</p>
      <p className="row-note">{t('backtest.fileHold')}</p>
      <div>
        <Button onClick={() => saveFile(fileOf(document), `${fileName(name)}.${options.exchange}.backtest.json`)}>
          {t('backtest.save')}
        </Button>
      </div>
    </div>
  );
}

/** Returns the document in the format of `heron backtest --json`. */
function fileOf(document: BacktestResult['document']): Blob {
  return new Blob([`${JSON.stringify(document)}\n`], { type: 'application/json' });
}

function fileName(name: string): string {
  return name.replace(/[^\p{L}\p{N} _-]/gu, '').trim() || 'heron';
}

/** Reports missing candles of pairs. A pair does not trade before it has enough candles. */
function MissingNote({ missing, begin }: { missing: readonly Missing[]; begin: number }) {
  const { t, format } = usePreferences();
  if (missing.length === 0) return null;
  const hours = (ms: number) => format.quantity(Math.ceil((10 * ms) / HOUR_MS) / 10);
  return (
    <div className="callout callout-warning" role="status">
      {missing.map(({ pair, begins, trades, gaps, gapMs }) => (
        <p key={pair}>
          {begins !== null && t('backtest.begins', { pair, time: format.dateTime(begins) })}{' '}
          {gaps > 0 && t('backtest.gaps', { pair, count: gaps, hours: hours(gapMs) })}{' '}
          {trades === null
            ? t('backtest.never')
            : trades > begin && t('backtest.trades', { time: format.dateTime(trades) })}
        </p>
      ))}
    </div>
  );
}

interface TradesProps {
  readonly result: BacktestResult;
  readonly currency: string;
  /** Shows a trade on the chart. */
  readonly onShow: (trade: ShownTrade) => void;
}

function Trades({ result, currency, onShow }: TradesProps) {
  const { t, format } = usePreferences();
  const [shown, setShown] = useState(ROWS);
  const { trades, strategy } = result.document;
  const rows = useMemo(() => tradeRows(trades, strategy === 'grid'), [trades, strategy]);
  if (rows.length === 0) return null;
  return (
    <section className="card" aria-label={t('trades.title')}>
      <ul className="rows">
        {rows.slice(0, shown).map((trade) => (
          <li key={`${trade.pair} ${trade.id}`} className="row" data-testid="backtest-trade">
            <TradeSummary
              trade={trade}
              currency={currency}
              more={
                <>
                  {' · '}
                  <button
                    type="button"
                    className="backtest-show"
                    aria-label={t('backtest.showTradeOf', { pair: trade.pair, time: format.dateTime(trade.at) })}
                    // A new object moves the chart again.
                    onClick={() => onShow({ ...trade })}
                  >
                    {t('backtest.showTrade')}
                  </button>
                </>
              }
            />
          </li>
        ))}
      </ul>
      <MoreRows has={rows.length > shown} busy={false} onMore={() => setShown(shown + ROWS)} />
    </section>
  );
}
