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
  const [chosen, setChosen] = useState<string | null>(null);
  const show = (next: string) => {
    setMonth(next);
    setChosen(null);
  };
  const dayTexts = useDayTexts(currency);
  const weeks = monthCalendar(month, days);
  const details = weeks.flat().find((place) => place !== null && place.day === chosen);
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
          onClick={() => show(neighbourMonth(month, -1))}
        />
        <strong aria-live="polite">{format.month(month)}</strong>
        <Button
          kind="quiet"
          icon="forward"
          aria-label={t('days.later')}
          disabled={month >= newest}
          onClick={() => show(neighbourMonth(month, 1))}
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
                  <DayCell
                    key={place.day}
                    place={place}
                    name={dayTexts(place)}
                    chosen={place.day === chosen}
                    onChoose={() => setChosen(place.day === chosen ? null : place.day)}
                  />
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
      <p className="calendar-details" role="status" data-testid="calendar-details">
        {details && dayTexts(details)}
      </p>
      <p className="portfolio-note">{t('days.note')}</p>
    </section>
  );
}

interface DayCellProps {
  readonly place: CalendarDay;
  /** Day, result and number of positions in words. */
  readonly name: string;
  readonly chosen: boolean;
  readonly onChoose: () => void;
}

function DayCell({ place: { day, sums, strength }, name, chosen, onChoose }: DayCellProps) {
  const { display } = usePreferences();
  const number = (
    <span className="calendar-day" aria-hidden="true">
      {Number(day.slice(-2))}
    </span>
  );
  if (sums === null) {
    return (
      <td>
        {number}
        <span className="hidden">{name}</span>
      </td>
    );
  }
  const compact = new Intl.NumberFormat(display.language, {
    ...{ notation: 'compact', maximumSignificantDigits: 3, signDisplay: 'exceptZero' },
  });
  const tone = strength === 0 ? '' : `heat-${sums.net.startsWith('-') ? 'loss' : 'gain'} heat-${strength}`;
  return (
    <td className={tone} data-testid="calendar-result">
      <button type="button" aria-pressed={chosen} onClick={onChoose}>
        {number}
        <span className="calendar-net num" aria-hidden="true">
          {compact.format(Number(sums.net))}
        </span>
        <span className="hidden">{name}</span>
      </button>
    </td>
  );
}

/** Returns the text of a day: its date, net result and number of closed positions. */
function useDayTexts(currency: string): (place: CalendarDay) => string {
  const { t, display, format } = usePreferences();
  const dates = new Intl.DateTimeFormat(display.language, { dateStyle: 'long', timeZone: 'UTC' });
  return ({ day, sums }) => {
    const name = dates.format(Date.parse(day));
    if (sums === null) return t('days.ofNone', { day: name });
    const positions = t('days.closed', { count: sums.positions });
    return t('days.of', { day: name, net: format.signedMoney(sums.net, currency), positions });
  };
}
