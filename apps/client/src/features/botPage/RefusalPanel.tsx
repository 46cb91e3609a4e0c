import type { BotDetail, PairView } from '@heron/contract/bots/entities.ts';
import { isStopped } from '@heron/contract/bots/isStopped.ts';
import { flagLabel, refusalSentence, sideLabel } from '../../entities/bot/labels.ts';
import { usePricePreferences } from '../../entities/bot/priceFormat.tsx';
import { refusalInputs } from '../../entities/bot/refusalInputs.ts';

/** Explains why nothing was bought: the last gate that blocked an entry with its inputs, or the awaited condition. */
export function RefusalPanel({ bot, view }: { bot: BotDetail; view: PairView }) {
  const preferences = usePricePreferences(view.pair);
  const { t, format } = preferences;
  const { lastRefusal, lastSignal, volume } = view;
  const thin = view.flag === 'volume' && volume ? volume : null;
  return (
    <section className="card panel" data-testid="last-refusal" aria-labelledby="refusal-title">
      <h2 id="refusal-title">{t('waiting.title')}</h2>
      {thin ? (
        <>
          <p className="panel-text" data-flag="volume">
            {t('waiting.volume', { needed: format.number(thin.needed), currency: bot.performance.currency })}
          </p>
          <dl className="facts">
            <div>
              <dt>{t('input.volume24h')}</dt>
              <dd className="num">{format.money(thin.value, bot.performance.currency)}</dd>
            </div>
          </dl>
          <p className="panel-note num">{format.dateTime(thin.at)}</p>
        </>
      ) : lastRefusal ? (
        <>
          <p className="panel-text" data-gate={lastRefusal.gate}>
            {refusalSentence(lastRefusal.gate, preferences)}
          </p>
          <dl className="facts">
            {refusalInputs(lastRefusal.inputs, preferences).map(({ name, value }) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd className="num">{value}</dd>
              </div>
            ))}
          </dl>
          <p className="panel-note num">{format.dateTime(lastRefusal.at)}</p>
        </>
      ) : (
        <p className="panel-text">{waiting()}</p>
      )}
      {lastSignal && (
        <p className="panel-note">
          {t('waiting.lastSignal', {
            side: sideLabel(lastSignal.side, preferences),
            time: format.dateTime(lastSignal.at),
          })}
        </p>
      )}
    </section>
  );

  function waiting(): string {
    if (isStopped(bot.status)) return t('waiting.resting');
    if (view.flag) return t('waiting.flagged', { flag: flagLabel(view.flag, preferences) });
    if (view.candlesHeld < view.candlesNeeded) {
      return t('waiting.gathering', { held: view.candlesHeld, needed: view.candlesNeeded });
    }
    if (bot.strategy.id === 'manual') return t('waiting.byHand');
    if (view.ladder) return t('waiting.orderPlan');
    return view.position ? t('waiting.holding') : t('waiting.watching');
  }
}
