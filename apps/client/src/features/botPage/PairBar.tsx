import type { BotDetail, PairView } from '@heron/contract/bots/entities.ts';
import { isStopped } from '@heron/contract/bots/isStopped.ts';
import { isFuture } from '../../entities/bot/futures.ts';
import { directionLabel, flagLabel, phaseLabel } from '../../entities/bot/labels.ts';
import { usePricePreferences } from '../../entities/bot/priceFormat.tsx';
import { statusLabel } from '../../entities/bot/statusLabel.ts';
import { usePreferences } from '../../lib/preferences.ts';
import { PercentMoved } from '../../ui/Figures.tsx';

interface PairBarProps {
  readonly bot: BotDetail;
  readonly chosen: string | undefined;
  readonly onChoose: (pair: string) => void;
}

function LastPrice({ view: { pair, last } }: { view: PairView }) {
  const { format } = usePricePreferences(pair);
  return <span className="num">{last === null ? '—' : format.price(last)}</span>;
}

/** Lists the bot's pairs with price and state, and chooses the one in the chart. */
export function PairBar({ bot, chosen, onChoose }: PairBarProps) {
  const preferences = usePreferences();
  const { t } = preferences;
  const future = isFuture(bot);
  const stateOf = ({ flag, phase, orders }: PairView) => {
    // A bot that does not run loads and watches nothing.
    if (isStopped(bot.status) && (flag === null || flag === 'loading')) return statusLabel(bot.status, preferences);
    if (flag) return flagLabel(flag, preferences);
    // A manual order at a price may wait for days.
    const waits = phase === 'buying' && orders.some(({ reason, revocable }) => reason === 'manual' && revocable);
    return waits ? t('pair.orderWaits') : phaseLabel(phase, preferences);
  };
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
          <LastPrice view={view} />
          <span className="pair-tab-state">
            {view.position && future && (
              <span>
                {t('position.side', {
                  side: directionLabel(view.position.direction, preferences),
                  leverage: view.position.leverage,
                })}
              </span>
            )}
            {view.position && <PercentMoved value={view.position.returnPercent} />}
            {view.pausedBy !== null ? (
              <span className="pair-tab-paused">{flagLabel('paused', preferences)}</span>
            ) : (
              !view.position && stateOf(view)
            )}
          </span>
        </button>
      ))}
    </fieldset>
  );
}
