import type { BacktestDocument } from '@heron/engine/report/document.ts';
import { reasonLabel } from '../../entities/bot/labels.ts';
import { usePricePreferences } from '../../entities/bot/priceFormat.tsx';
import { ResultTable, resultNote } from '../../entities/bot/ResultTable.tsx';
import { resultRows } from './resultRows.ts';

/** Shows the realised result by pair, reason and month. Each of them adds up to that of the run. */
export function ReportTables({ document }: { readonly document: BacktestDocument }) {
  const preferences = usePricePreferences(null);
  const { t, format } = preferences;
  const currency = document.options.product_currency;
  const { pairs, reasons, months } = resultRows(document);
  // Funding and the fees of entries are no exits.
  const exits = (count: number) => (count === 0 ? '' : t('backtest.exits', { count }));
  return (
    <>
      {pairs.length > 1 && (
        <ResultTable
          title={t('figures.byPair')}
          currency={currency}
          rows={pairs.map((row) => ({ name: row.pair, net: row.net, note: resultNote(row, currency, preferences) }))}
        />
      )}
      {reasons.length > 0 && (
        <ResultTable
          title={t('figures.byReason')}
          currency={currency}
          rows={reasons.map(({ reason, net, trades }) => ({
            name: reason === 'funding' ? t('figures.funding') : reasonLabel(reason, preferences),
            net,
            note: exits(trades),
          }))}
        />
      )}
      {months.length > 1 && (
        <ResultTable
          title={t('backtest.byMonth')}
          currency={currency}
          rows={months.map(({ month, net, trades }) => ({ name: format.month(month), net, note: exits(trades) }))}
        />
      )}
    </>
  );
}
