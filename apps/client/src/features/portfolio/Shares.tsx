import type { PortfolioGroup } from '@heron/contract/bots/portfolio.ts';
import type { ReactNode } from 'react';
import { usePreferences } from '../../lib/preferences.ts';
import { Bar } from '../../ui/Bar.tsx';
import { ShortList } from './ShortList.tsx';
import { percentOf } from './share.ts';

interface Share {
  readonly id: string;
  readonly name: ReactNode;
  /** Exact amount. */
  readonly value: string;
  readonly note?: ReactNode;
}

interface SharesProps {
  readonly title: string;
  readonly group: PortfolioGroup;
  readonly rows: readonly Share[];
}

/** Divides the equity of a group, with the part of each row in percent. */
export function Shares({ title, group: { money, currency }, rows }: SharesProps) {
  const { format } = usePreferences();
  return (
    <section className="card portfolio-part" aria-label={title}>
      <h2>{title}</h2>
      <ShortList
        label={title}
        rows={rows}
        row={({ id, name, value, note }) => {
          const percent = percentOf(value, money.equity);
          return (
            <li key={id} className="row">
              <span className="row-main">
                <strong>{name}</strong>
                <span className="row-end num">
                  {format.money(value, currency)} <small>{format.percent(percent)}</small>
                </span>
              </span>
              <Bar percent={percent} tone="share" />
              {note && <span className="row-note num">{note}</span>}
            </li>
          );
        }}
      />
    </section>
  );
}
