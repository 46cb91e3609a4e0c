import type { BotDetail } from '@heron/contract/bots/entities.ts';
import { useReader } from '../../../lib/reader.ts';
import { PercentMoved } from '../../../ui/Figures.tsx';
import { isFuture } from '../futures.ts';
import { directionWord, flagWord, phaseWord } from '../words.ts';

interface PairBarProps {
  readonly bot: BotDetail;
  readonly chosen: string | undefined;
  readonly onChoose: (pair: string) => void;
}

/** The bot's pairs with price and state; one is shown in the chart. */
export function PairBar({ bot, chosen, onChoose }: PairBarProps) {
  const reader = useReader();
  const { t, format } = reader;
  const future = isFuture(bot);
  return (
    <fieldset className="pair-bar" aria-label={t('bot.pairs')}>
      {bot.pairViews.map((view) => (
        <button
          key={view.pair}
          type="button"
          className="pair-tab"
          data-shortcut="pair"
          aria-pressed={view.pair === chosen}
          onClick={() => onChoose(view.pair)}
        >
          <span className="pair-tab-name">{view.pair}</span>
          <span className="num">{view.last === null ? '—' : format.price(view.last)}</span>
          <span className="pair-tab-state">
            {view.position && future && (
              <span>
                {t('position.side', {
                  side: directionWord(view.position.direction, reader),
                  leverage: view.position.leverage,
                })}
              </span>
            )}
            {view.position && <PercentMoved value={view.position.returnPercent} />}
            {view.pausedBy !== null ? (
              <span className="pair-tab-paused">{flagWord('paused', reader)}</span>
            ) : (
              !view.position && (view.flag ? flagWord(view.flag, reader) : phaseWord(view.phase, reader))
            )}
          </span>
        </button>
      ))}
    </fieldset>
  );
}
