import type { VenueId } from '@heron/engine/options/venues.ts';
import type { PlanPreview } from '@heron/engine/preview/previewPlan.ts';
import { useQuery } from '@tanstack/react-query';
import { refusalSentence } from '../../../entities/bot/labels.ts';
import { venueCandlesQuery } from '../../../entities/bot/queries.ts';
import { usePreferences } from '../../../lib/preferences.ts';
import { Button } from '../../../ui/Button.tsx';
import { Stat } from '../../../ui/Figures.tsx';
import type { SetupForm } from '../fields/setupForm.ts';
import { equalAmount, equalEdit, rangeOf } from './planOf.ts';

/** Days of the range that is offered. */
const RANGE_DAYS = 30;

interface PlanPartProps {
  readonly form: SetupForm;
  readonly venue: VenueId;
  readonly previews: readonly PlanPreview[];
}

/** Shows what a grid or a DCA deal would place now: money, the amount of each pair, and a table of its orders. */
export function PlanPart({ form, venue, previews }: PlanPartProps) {
  const preferences = usePreferences();
  const { t, format } = preferences;
  const [first] = previews;
  if (first === undefined) return null;
  const currency = form.draft.texts.product_currency ?? '';
  const equal = equalAmount(previews);
  return (
    <section className="plan-part" data-testid="plan-preview" aria-labelledby="plan-part-title">
      <h3 id="plan-part-title">{t('preview.title', { pair: first.pair, price: format.price(first.price) })}</h3>
      {first.refused && (
        <p className="callout callout-warning" data-testid="plan-refused">
          {refusalSentence(first.refused.gate, preferences)}
        </p>
      )}
      <dl className="stats">
        <Stat name={t('preview.needed')} testId="plan-needed">
          <span className="num">{first.needed === null ? '—' : format.money(first.needed, currency)}</span>
        </Stat>
        <Stat name={t('preview.minMoney')} testId="plan-min-money">
          <span className="num">{first.minMoney === null ? '—' : format.money(first.minMoney, currency)}</span>
        </Stat>
      </dl>
      {first.kind === 'grid' && <RangeTools form={form} venue={venue} pair={first.pair} pairs={previews.length} />}
      {previews.length > 1 && (
        <ul className="plan-amounts" data-testid="plan-amounts">
          {previews.map(({ pair, budget }) => (
            <li key={pair}>
              {pair} <span className="num">{budget === null ? '—' : format.money(budget, currency)}</span>
            </li>
          ))}
          <li>
            {t('preview.all')} <span className="num">{format.money(sumOf(previews), currency)}</span>
          </li>
        </ul>
      )}
      {equal !== null && (
        <Button onClick={() => form.change(equalEdit(form.draft, equal))}>
          {t('preview.equal', { amount: format.money(equal, currency) })}
        </Button>
      )}
      {first.rows.length > 0 && <PlanTable preview={first} />}
    </section>
  );
}

function sumOf(previews: readonly PlanPreview[]): number {
  return previews.reduce((sum, { needed }) => sum + Number(needed ?? 0), 0);
}

/** Offers the range of the last days as prices of the grid. With several pairs one range would be wrong for all but one. */
function RangeTools({ form, venue, pair, pairs }: Omit<PlanPartProps, 'previews'> & { pair: string; pairs: number }) {
  const { t } = usePreferences();
  const { data } = useQuery({ ...venueCandlesQuery({ venue, host: form.host }, pair, '1d'), enabled: pairs === 1 });
  if (pairs > 1)
    return Number(form.draft.params.lower ?? 0) > 0 ? (
      <p className="field-warning">{t('preview.rangeForAll')}</p>
    ) : null;
  const range = data && rangeOf(data, RANGE_DAYS);
  if (!range) return null;
  const params = { lower: String(range.lower), upper: String(range.upper) };
  return (
    <Button kind="quiet" onClick={() => form.change({ params })}>
      {t('preview.fit', { count: RANGE_DAYS })}
    </Button>
  );
}

function PlanTable({ preview: { pair, kind, rows } }: { preview: PlanPreview }) {
  const { t, format } = usePreferences();
  const title = t('preview.orders', { pair });
  // The keyboard scrolls a table that is wider than its column.
  const scrolling = { tabIndex: 0, 'aria-label': title };
  return (
    <section className="plan-table" {...scrolling}>
      <table className="num">
        <thead>
          <tr>
            <th scope="col">{t('preview.price')}</th>
            <th scope="col">{t('preview.quantity')}</th>
            <th scope="col">{t('preview.total')}</th>
            <th scope="col">{t(kind === 'grid' ? 'preview.cycleProfit' : 'preview.targetProfit')}</th>
            <th scope="col">{t('preview.breakEven')}</th>
            <th scope="col">{t('preview.exit')}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={`${row.direction} ${row.price}`} data-enters={row.enters}>
              <th scope="row">
                {format.price(row.price)}
                {row.enters !== 'order' && <small>{t(`preview.enters.${row.enters}`)}</small>}
              </th>
              <td>{format.quantity(row.quantity)}</td>
              <td>{format.price(row.total, 2)}</td>
              <td>{format.price(row.profit, 2)}</td>
              <td>{format.price(row.breakEven)}</td>
              <td>{format.price(row.exit)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
