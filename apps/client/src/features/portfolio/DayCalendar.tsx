import type { PortfolioGroup } from '@heron/contract/bots/portfolio.ts';
import { useState } from 'react';
import { usePreferences } from '../../lib/preferences.ts';
import { Button } from '../../ui/Button.tsx';
import { MoneyMoved } from '../../ui/Figures.tsx';
import { type CalendarDay, currentMonth, monthCalendar, neighbourMonth } from './monthCalendar.ts';

/** Shows the net result of each day of a month: the amount in each day, its colour only in addition. */
export function DayCalendar({ group: { days, months, currency } }: { readonly group: PortfolioGroup }) {
  const { t, format, display } = usePreferences();
  const newest = [currentMonth(Date.now()), months.at(-1)?.month ?? ''].reduce((a, b) => (a > b ? a : b));
  const [month, setMonth] = useState(newest);
  const weeks = monthCalendar(month, days);
  const total = months.find((each) => each.month === month);
  const weekdays = new Intl.DateTimeFormat(display.language, { weekday: 'short', timeZone: 'UTC' });
  const title = t('days.title');
  return (
    <section className="card portfolio-part portfolio-days" aria-label={title} data-testid="portfolio-days">
      <h2>{title}</h2>
      <div className="calendar-bar">
        <Button
          kind="quiet"
          icon="back"
          aria-label={t('days.earlier')}
          disabled={month <= (months[0]?.month ?? month)}
          onClick={() => setMonth(neighbourMonth(month, -1))}
        />
        <strong aria-live="polite">{format.month(month)}</strong>
        <Button
          kind="quiet"
          icon="forward"
          aria-label={t('days.later')}
          disabled={month >= newest}
          onClick={() => setMonth(neighbourMonth(month, 1))}
        />
        <span className="row-end">
          <MoneyMoved value={total?.net ?? '0'} currency={currency} />{' '}
          <small>{t('days.closed', { count: total?.positions ?? 0 })}</small>
        </span>
      </div>
      <table className="calendar">
        <caption className="hidden">
          {title}, {format.month(month)}
        </caption>
        <thead>
          <tr>
            {Array.from({ length: 7 }, (_, weekday) => (
              // 5 January 1970 was a Monday.
              // biome-ignore lint/suspicious/noArrayIndexKey: the days of a week never change
              <th key={weekday} scope="col">
                {weekdays.format((weekday + 4) * 86_400_000)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeks.map((week) => (
            <tr key={week.find((place) => place !== null)?.day}>
              {week.map((place, weekday) =>
                place === null ? (
                  // biome-ignore lint/suspicious/noArrayIndexKey: places of a week never move
                  <td key={weekday} />
                ) : (
                  <DayCell key={place.day} place={place} currency={currency} />
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
      <p className="portfolio-note">{t('days.note')}</p>
    </section>
  );
}

function DayCell({
  place: { day, sums, strength },
  currency,
}: {
  readonly place: CalendarDay;
  readonly currency: string;
}) {
  const { t, display, format } = usePreferences();
  const at = Date.parse(day);
  const name = new Intl.DateTimeFormat(display.language, { dateStyle: 'long', timeZone: 'UTC' }).format(at);
  const compact = new Intl.NumberFormat(display.language, {
    ...{ notation: 'compact', maximumSignificantDigits: 3, signDisplay: 'exceptZero' },
  });
  if (sums === null) {
    return (
      <td>
        <span className="calendar-day" aria-hidden="true">
          {Number(day.slice(-2))}
        </span>
        <span className="hidden">{t('days.ofNone', { day: name })}</span>
      </td>
    );
  }
  const { net, positions } = sums;
  const tone = strength === 0 ? '' : `heat-${net.startsWith('-') ? 'loss' : 'gain'} heat-${strength}`;
  const full = { day: name, net: format.signedMoney(net, currency), positions: t('days.closed', { count: positions }) };
  return (
    <td className={tone} title={t('days.of', full)} data-testid="calendar-result">
      <span aria-hidden="true">
        <span className="calendar-day">{Number(day.slice(-2))}</span>
        <span className="calendar-net num">{compact.format(Number(net))}</span>
      </span>
      <span className="hidden">{t('days.of', full)}</span>
    </td>
  );
}
