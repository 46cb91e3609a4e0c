import { type ReactNode, useState } from 'react';
import { usePreferences } from '../../lib/preferences.ts';
import { Button } from '../../ui/Button.tsx';

/** Number of rows of a long list that are shown at first. */
const FEW = 8;

interface ShortListProps<Row> {
  readonly label: string;
  readonly rows: readonly Row[];
  readonly row: (row: Row) => ReactNode;
}

/** Lists the first rows, and all of them on demand. Each row renders its own `<li>`. */
export function ShortList<Row>({ label, rows, row }: ShortListProps<Row>) {
  const { t } = usePreferences();
  const [all, showAll] = useState(false);
  const isLong = !all && rows.length > FEW;
  return (
    <>
      <ul className="rows" aria-label={label}>
        {(isLong ? rows.slice(0, FEW) : rows).map(row)}
      </ul>
      {isLong && (
        <p className="portfolio-more">
          <Button kind="quiet" onClick={() => showAll(true)}>
            {t('portfolio.showAll', { count: rows.length })}
          </Button>
        </p>
      )}
    </>
  );
}
