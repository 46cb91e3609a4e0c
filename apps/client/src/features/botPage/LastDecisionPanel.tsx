import type { BotDetail, PairView } from '@heron/contract/bots/entities.ts';
import { isStopped } from '@heron/contract/bots/isStopped.ts';
import type { ReactNode } from 'react';
import { flagLabel, isOrderPlanStrategy, refusalSentence, sideLabel } from '../../entities/bot/labels.ts';
import { decisionFacts, decisionSentence } from '../../entities/bot/lastDecision.ts';
import { PlanWait } from '../../entities/bot/PlanWait.tsx';
import { usePricePreferences } from '../../entities/bot/priceFormat.tsx';
import { refusalInputs } from '../../entities/bot/refusalInputs.ts';

/** Shows what the bot decided last for a pair, and why: an entry, an exit, or what blocked one. Then what it waits for now. */
export function LastDecisionPanel({ bot, view }: { bot: BotDetail; view: PairView }) {
  const preferences = usePricePreferences(view.pair);
  const { t, format } = preferences;
  const { lastSignal } = view;
  const decision = decided();
  // A bot that acts or ends waits for nothing.
  const isActing = view.lastOrder?.end === null || bot.draining || bot.status === 'stopping';
  return (
    <section className="card panel" data-testid="last-decision" aria-labelledby="decision-title">
      <h2 id="decision-title">{t('decision.title')}</h2>
      {decision ?? <p className="panel-text">{waiting()}</p>}
      {lastSignal && (
        <p className="panel-note">
          {t('waiting.lastSignal', {
            side: sideLabel(lastSignal.side, preferences),
            time: format.dateTime(lastSignal.at),
          })}
        </p>
      )}
      {decision && !isActing && view.flag !== 'volume' && <p className="panel-note">{waiting()}</p>}
    </section>
  );

  /** Returns the newest decision; null before the first. A low volume blocks entries now, so it comes first. */
  function decided(): ReactNode {
    const { lastRefusal, lastOrder, volume } = view;
    if (view.flag === 'volume' && volume) {
      const needed = { needed: format.number(volume.needed), currency: bot.performance.currency };
      return (
        <Decision
          mark={{ 'data-flag': 'volume' }}
          text={t('waiting.volume', needed)}
          facts={[{ name: t('input.volume24h'), value: format.money(volume.value, bot.performance.currency) }]}
          time={format.dateTime(volume.at)}
        />
      );
    }
    if (lastRefusal) {
      return (
        <Decision
          mark={{ 'data-gate': lastRefusal.gate }}
          text={refusalSentence(lastRefusal.gate, preferences)}
          facts={refusalInputs(lastRefusal.inputs, preferences)}
          time={format.dateTime(lastRefusal.at)}
        />
      );
    }
    return (
      lastOrder && (
        <Decision
          mark={{ 'data-order': lastOrder.kind }}
          text={decisionSentence(bot, lastOrder, preferences)}
          facts={decisionFacts(lastOrder, preferences)}
          time={format.dateTime(lastOrder.at)}
        />
      )
    );
  }

  function waiting(): ReactNode {
    if (isStopped(bot.status)) return t('waiting.resting');
    if (view.flag) return t('waiting.flagged', { flag: flagLabel(view.flag, preferences) });
    if (view.candlesHeld < view.candlesNeeded) {
      return t('waiting.gathering', { held: view.candlesHeld, needed: view.candlesNeeded });
    }
    if (bot.strategy.id === 'manual') return t('waiting.byHand');
    if (view.ladder) return t('waiting.orderPlan');
    if (view.nextPlan) return <PlanWait strategy={bot.strategy.id} next={view.nextPlan} />;
    if (view.position) return t('waiting.holding');
    return t(isOrderPlanStrategy(bot.strategy.id) ? 'waiting.planStart' : 'waiting.watching');
  }
}

interface DecisionProps {
  /** Attribute by which tests find the decision. */
  readonly mark: Readonly<Record<string, string>>;
  readonly text: string;
  readonly facts: readonly { readonly name: string; readonly value: string }[];
  readonly time: string;
}

function Decision({ mark, text, facts, time }: DecisionProps) {
  return (
    <>
      <p className="panel-text" {...mark}>
        {text}
      </p>
      <dl className="facts">
        {facts.map(({ name, value }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd className="num">{value}</dd>
          </div>
        ))}
      </dl>
      <p className="panel-note num">{time}</p>
    </>
  );
}
