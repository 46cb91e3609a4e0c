import type { ClosedSums, PortfolioGroup } from '@heron/contract/bots/portfolio.ts';
import { useState } from 'react';
import { reasonLabel } from '../../entities/bot/labels.ts';
import { largestOf, ResultLine } from '../../entities/bot/ResultTable.tsx';
import { strategyTitle } from '../../entities/bot/strategyTitle.ts';
import { usePreferences } from '../../lib/preferences.ts';
import { MoneyMoved } from '../../ui/Figures.tsx';
import { Tabs } from '../../ui/Tabs.tsx';
import { ShortList } from './ShortList.tsx';

const CRITERIA = ['strategy', 'pair', 'reason'] as const;
type Criterion = (typeof CRITERIA)[number];

type Row = ClosedSums & { readonly id: string; readonly name: string };

/** Divides the results of closed positions by strategy, pair or reason. */
export function Sources({ group }: { readonly group: PortfolioGroup }) {
  const preferences = usePreferences();
  const { t } = preferences;
  const [by, setBy] = useState<Criterion>('strategy');
  const { currency, closed } = group;
  const rows: Readonly<Record<Criterion, readonly Row[]>> = {
    strategy: group.strategies.map((row) => ({
      ...row,
      id: row.strategy,
      name: strategyTitle(row.strategy, preferences),
    })),
    pair: group.pairs.map((row) => ({ ...row, id: row.pair, name: row.pair })),
    reason: group.reasons.map((row) => ({
      ...row,
      id: row.reason ?? '',
      name: row.reason === null ? t('sources.noExit') : reasonLabel(row.reason, preferences),
    })),
  };
  const title = t('sources.title');
  return (
    <section className="card portfolio-part" aria-label={title} data-testid="portfolio-sources">
      <h2>{title}</h2>
      {closed.positions === 0 ? (
        <p className="portfolio-none">{t('sources.none')}</p>
      ) : (
        <>
          <Tabs
            label={t('sources.choice')}
            value={by}
            tabs={CRITERIA.map((value) => ({ value, title: t(`sources.${value}`) }))}
            onChange={setBy}
          >
            <SourceRows key={by} label={t(`sources.${by}`)} rows={rows[by]} currency={currency} />
          </Tabs>
          <p className="portfolio-sum">
            <span>
              {t('sources.sum')} · {t('days.closed', { count: closed.positions })}
            </span>
            <MoneyMoved value={closed.net} currency={currency} />
          </p>
          <p className="portfolio-note">{t('sources.note')}</p>
        </>
      )}
    </section>
  );
}

interface SourceRowsProps {
  readonly label: string;
  readonly rows: readonly Row[];
  readonly currency: string;
}

function SourceRows({ label, rows, currency }: SourceRowsProps) {
  const { t, format } = usePreferences();
  const largest = largestOf(rows);
  const noteOf = ({ positions, wins, losses, fees, funding }: Row) =>
    [
      t('days.closed', { count: positions }),
      t('sources.outcome', { wins, losses }),
      t('sources.fees', { fees: format.money(fees, currency) }),
      ...(Number(funding) === 0 ? [] : [t('sources.funding', { funding: format.signedMoney(funding, currency) })]),
    ].join(' · ');
  return (
    <ShortList
      label={label}
      rows={rows}
      row={(row) => (
        <ResultLine key={row.id} row={{ ...row, note: noteOf(row) }} largest={largest} currency={currency} />
      )}
    />
  );
}
