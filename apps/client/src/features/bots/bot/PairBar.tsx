import type { PairView } from '@heron/contract/bots/entities.ts';
import { useReader } from '../../../lib/reader.ts';
import { PercentMoved } from '../../../ui/Figures.tsx';
import { flagWord, phaseWord } from '../words.ts';

interface PairBarProps {
  readonly views: readonly PairView[];
  readonly chosen: string | undefined;
  readonly onChoose: (pair: string) => void;
}

/** The bot's pairs with price and state; one is shown in the chart. */
export function PairBar({ views, chosen, onChoose }: PairBarProps) {
  const reader = useReader();
  const { t, format } = reader;
  return (
    <fieldset className="pair-bar" aria-label={t('bot.pairs')}>
      {views.map((view) => (
        <button
          key={view.pair}
          type="button"
          className="pair-tab"
          aria-pressed={view.pair === chosen}
          onClick={() => onChoose(view.pair)}
        >
          <span className="pair-tab-name">{view.pair}</span>
          <span className="num">{view.last === null ? '—' : format.price(view.last)}</span>
          <span className="pair-tab-state">
            {view.position ? (
              <PercentMoved value={view.position.returnPercent} />
            ) : view.flag ? (
              flagWord(view.flag, reader)
            ) : (
              phaseWord(view.phase, reader)
            )}
          </span>
        </button>
      ))}
    </fieldset>
  );
}
