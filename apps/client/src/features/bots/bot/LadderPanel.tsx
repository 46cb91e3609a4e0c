import type { PairView } from '@heron/contract/bots/entities.ts';
import { useReader } from '../../../lib/reader.ts';
import { MoneyMoved, Stat } from '../../../ui/Figures.tsx';
import { cellStateWord, dcaPhaseWord } from '../words.ts';

type Ladder = NonNullable<PairView['ladder']>;

/** The grid or the averaging that works on the chosen pair. */
export function LadderPanel({ ladder, currency }: { ladder: Ladder; currency: string }) {
  const { t } = useReader();
  return (
    <section className="card panel" data-testid="ladder" aria-labelledby="ladder-title">
      <h2 id="ladder-title">{t(ladder.kind === 'grid' ? 'ladder.grid' : 'ladder.dca')}</h2>
      {ladder.kind === 'grid' ? (
        <GridFigures grid={ladder} currency={currency} />
      ) : (
        <AveragingFigures averaging={ladder} currency={currency} />
      )}
    </section>
  );
}

function GridFigures({ grid, currency }: { grid: Extract<Ladder, { kind: 'grid' }>; currency: string }) {
  const reader = useReader();
  const { t, format } = reader;
  return (
    <>
      <dl className="stats">
        <Stat name={t('ladder.realised')}>
          <MoneyMoved value={grid.realised} currency={currency} />
        </Stat>
        <Stat name={t('ladder.cycles')}>
          <span className="num">{format.number(grid.cycles)}</span>
        </Stat>
        <Stat name={t('ladder.range')}>
          <span className="num">
            {format.price(grid.lower)} – {format.price(grid.upper)}
          </span>
        </Stat>
        <Stat name={t('ladder.budget')}>
          <span className="num">{format.money(grid.budget, currency)}</span>
        </Stat>
      </dl>
      <details>
        <summary>{t('ladder.cells', { count: grid.cells.length })}</summary>
        <ul className="rows">
          {grid.cells.map(({ low, high, state, cycles, realised }) => (
            <li key={low} className="row">
              <div className="row-main">
                <span className="num">
                  {format.price(low)} – {format.price(high)}
                </span>
                <span className="row-end">
                  <MoneyMoved value={realised} currency={currency} />
                </span>
              </div>
              <p className="row-note">
                {cellStateWord(state, reader)} · {t('ladder.cellCycles', { count: cycles })}
              </p>
            </li>
          ))}
        </ul>
      </details>
    </>
  );
}

function AveragingFigures({ averaging, currency }: { averaging: Extract<Ladder, { kind: 'dca' }>; currency: string }) {
  const reader = useReader();
  const { t, format } = reader;
  return (
    <dl className="stats">
      <Stat name={t('ladder.phase')}>{dcaPhaseWord(averaging.phase, reader)}</Stat>
      <Stat name={t('ladder.entries')}>
        <span className="num">
          {format.number(averaging.entries)} / {format.number(averaging.orders)}
        </span>
      </Stat>
      <Stat name={t('ladder.first')}>
        <span className="num">{averaging.first === null ? '—' : format.price(averaging.first)}</span>
      </Stat>
      <Stat name={t('ladder.takeProfit')}>
        <span className="num">{averaging.takeProfit === null ? '—' : format.price(averaging.takeProfit)}</span>
      </Stat>
      <Stat name={t('ladder.budget')}>
        <span className="num">{format.money(averaging.budget, currency)}</span>
      </Stat>
    </dl>
  );
}
