import { sumOf } from '@heron/engine/money/decimalText.ts';
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
import { MAX_PREVIEW_PAIRS } from './usePlan.ts';

/** Days of the range that is offered. */
const RANGE_DAYS = 30;

interface PlanPartProps {
  readonly form: SetupForm;
  readonly venue: VenueId;
  readonly previews: readonly PlanPreview[];
}

interface AmountTableProps {
  readonly previews: readonly PlanPreview[];
  readonly currency: string;
  /** False while previews of some pairs are missing. */
  readonly isComplete: boolean;
}

/** Shows what a grid or a DCA deal would place now: money, the amount of each pair, and a table of its orders. */
export function PlanPart({ form, venue, previews }: PlanPartProps) {
  const preferences = usePreferences();
  const { t, format } = preferences;
  const [first] = previews;
  if (first === undefined) return null;
  const currency = form.draft.texts.product_currency ?? '';
  const pairs = form.draft.pairs.length;
  // A sum of some of the pairs would say too little.
  const isComplete = previews.length === pairs;
  const equal = isComplete ? equalAmount(previews) : null;
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
      {first.kind === 'grid' && <RangeTools form={form} venue={venue} pair={first.pair} pairs={pairs} />}
      {previews.length > 1 && <AmountTable previews={previews} currency={currency} isComplete={isComplete} />}
      {pairs > MAX_PREVIEW_PAIRS && (
        <p className="field-note">{t('preview.firstPairs', { count: MAX_PREVIEW_PAIRS })}</p>
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

/** Shows how much each pair is given and how much its plan needs, with the sum unless pairs are missing. */
function AmountTable({ previews, currency, isComplete }: AmountTableProps) {
  const { t, format } = usePreferences();
  const amount = (value: string | null) => (value === null ? '—' : format.money(value, currency));
  const needed = previews.map((preview) => preview.needed);
  return (
    <div className="plan-table">
      <table className="plan-amounts num" data-testid="plan-amounts">
        <thead>
          <tr>
            <th scope="col">{t('preview.pair')}</th>
            <th scope="col">{t('preview.budget')}</th>
            <th scope="col">{t('preview.needed')}</th>
          </tr>
        </thead>
        <tbody>
          {previews.map((preview) => (
            <tr key={preview.pair}>
              <th scope="row">{preview.pair}</th>
              <td>{amount(preview.budget)}</td>
              <td>{amount(preview.needed)}</td>
            </tr>
          ))}
        </tbody>
        {isComplete && needed.every((each) => each !== null) && (
          <tfoot>
            <tr>
              <th scope="row">{t('preview.all')}</th>
              <td />
              <td>{amount(sumOf(needed))}</td>
            </tr>
          </tfoot>
        )}
      </table>
    </div>
  );
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
