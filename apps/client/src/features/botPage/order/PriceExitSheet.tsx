import { botCalls } from '@heron/contract/bots/calls.ts';
import type { BotDetail, PairView } from '@heron/contract/bots/entities.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { FuturesBadge, MarketBadges } from '../../../entities/bot/badges.tsx';
import { usePricePreferences } from '../../../entities/bot/priceFormat.tsx';
import { runBotCommand } from '../../../entities/bot/pushes.ts';
import { usePreferences } from '../../../lib/preferences.ts';
import { ask } from '../../../lib/server.ts';
import { Button } from '../../../ui/Button.tsx';
import { explain } from '../../../ui/explain.ts';
import { MoneyMoved } from '../../../ui/Figures.tsx';
import { Overlay } from '../../../ui/Overlay.tsx';
import { toast } from '../../../ui/toasts.tsx';
import { useFaultFocus } from '../../../ui/useFaultFocus.ts';
import { ExitPriceFields } from './ExitPriceFields.tsx';
import { OrderRow } from './OrderEstimate.tsx';
import { PriceNow, ShareChoice } from './OrderForm.tsx';
import { attemptAfter, freshAttempt } from './orderAttempt.ts';
import { type ExitDraft, type ExitFault, exitFaults, NO_EXITS, readExits } from './orderDraft.ts';
import { resultAt } from './resultAt.ts';

/** A price exit as its owner has set it. */
export type PriceExitView = NonNullable<PairView['position']>['priceExits'][number];

interface PriceExitSheetProps {
  readonly bot: BotDetail;
  readonly view: PairView;
  readonly position: NonNullable<PairView['position']>;
  /** The price exit that is changed; null for a new one. */
  readonly changed: PriceExitView | null;
  readonly onClose: () => void;
}

/** Sets a stop-loss, a take-profit or both at prices, for a part of a position or all of it. */
export function PriceExitSheet({ bot, view, position, changed, onClose }: PriceExitSheetProps) {
  const { pair } = view;
  const { t } = usePricePreferences(pair);
  const { currency } = bot.performance;
  const { direction } = position;
  const queries = useQueryClient();
  const [exits, setExits] = useState(() => draftOf(changed));
  const [percent, setPercent] = useState(String(changed?.percent ?? 100));
  const [faults, setFaults] = useState<readonly ExitFault[]>([]);
  const [attempt, setAttempt] = useState(freshAttempt);
  const faultFocus = useFaultFocus();
  /** It may have been set, so only the same prices may be sent again. */
  const uncertain = attempt.outcome === 'uncertain';
  const reference = view[direction === 'short' ? 'ask' : 'bid'];

  const setExit = useMutation({
    mutationFn: () =>
      runBotCommand(queries, () =>
        ask(botCalls.setExit, {
          params: { id: bot.id },
          body: {
            ...{ requestId: attempt.requestId, pair, percent: Number(percent), ...readExits(exits) },
            ...(changed && { replaces: changed.id }),
          },
        }),
      ),
    onSuccess() {
      toast(t('priceExit.set', { pair }));
      onClose();
    },
    onError: (error) => setAttempt((before) => attemptAfter(before, error)),
  });

  function send(event: FormEvent) {
    event.preventDefault();
    // Prices that may have been set are sent again unchanged, wherever the market is by now.
    const wrong = uncertain ? [] : exitFaults(exits, direction, reference);
    setFaults(wrong);
    if (wrong.length === 0) setExit.mutate();
  }

  return (
    <Overlay kind="sheet" title={t('priceExit.title', { pair })} onClose={onClose}>
      <span className="badges order-badges">
        <MarketBadges venue={bot.venue} mode={bot.mode} />
        <FuturesBadge bot={bot} />
      </span>
      <form className="order-form order-sheet" onSubmit={send} noValidate {...faultFocus.props}>
        <p className="overlay-text">{t('priceExit.explained')}</p>
        <PriceNow pair={pair} side={direction === 'short' ? 'buy' : 'sell'} price={reference} />
        <fieldset className="order-fields" disabled={uncertain || setExit.isPending}>
          <ExitPriceFields
            pair={pair}
            currency={currency}
            exits={exits}
            reference={reference}
            faults={faults}
            onChange={(next) => {
              setExits(next);
              setFaults([]);
            }}
          />
          <ShareChoice value={percent} onChange={setPercent} />
        </fieldset>
        <Results position={position} currency={currency} percent={Number(percent)} exits={exits} />
        {setExit.error && (
          <p className="callout callout-problem" role="alert">
            {explain(setExit.error, t)}
            {uncertain && ` ${t('order.uncertain')}`}
          </p>
        )}
        <div className="overlay-actions">
          <Button onClick={onClose}>{t('app.cancel')}</Button>
          <Button kind="primary" type="submit" busy={setExit.isPending}>
            {t(uncertain ? 'order.again' : changed ? 'priceExit.change' : 'priceExit.submit')}
          </Button>
        </div>
      </form>
    </Overlay>
  );
}

interface ResultsProps {
  readonly position: PriceExitSheetProps['position'];
  readonly currency: string;
  readonly percent: number;
  readonly exits: ExitDraft;
}

/** Tables what each price would realise, before the fee of the exit. */
function Results({ position, currency, percent, exits }: ResultsProps) {
  const { t } = usePreferences();
  const { stopLoss, takeProfit } = readExits(exits);
  const rows = [
    { name: t('priceExit.stopLoss'), price: stopLoss },
    { name: t('priceExit.takeProfit'), price: takeProfit },
  ].flatMap(({ name, price }) => (price === undefined ? [] : [{ name, price }]));
  if (rows.length === 0) return null;
  return (
    <table className="order-table" data-testid="price-exit-results">
      <caption>{t('priceExit.results')}</caption>
      <tbody>
        {rows.map(({ name, price }) => (
          <OrderRow key={name} name={name}>
            <MoneyMoved value={String(resultAt(position, price, percent))} currency={currency} />
          </OrderRow>
        ))}
      </tbody>
    </table>
  );
}

function draftOf(changed: PriceExitView | null): ExitDraft {
  if (changed === null) return NO_EXITS;
  return { stopLoss: changed.stopLoss ?? '', takeProfit: changed.takeProfit ?? '' };
}
