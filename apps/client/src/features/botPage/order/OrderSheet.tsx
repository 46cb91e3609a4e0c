import { botCalls } from '@heron/contract/bots/calls.ts';
import type { BotDetail, PairView } from '@heron/contract/bots/entities.ts';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { FuturesBadge, MarketBadges } from '../../../entities/bot/badges.tsx';
import { changeTrade, isAsked, useTradeColours, useTradeOptions } from '../../../entities/bot/display/tradeOptions.ts';
import { isFuture } from '../../../entities/bot/futures.ts';
import { usePricePreferences } from '../../../entities/bot/priceFormat.tsx';
import { usePreferences } from '../../../lib/preferences.ts';
import { ask } from '../../../lib/server.ts';
import { ActButton } from '../../../ui/ActButton.tsx';
import { Button } from '../../../ui/Button.tsx';
import { TickField } from '../../../ui/fields/TickField.tsx';
import { Overlay } from '../../../ui/Overlay.tsx';
import { toast } from '../../../ui/toasts.tsx';
import { useFaultFocus } from '../../../ui/useFaultFocus.ts';
import { usePreviewFault } from './AmountField.tsx';
import { OrderFields, PriceNow } from './OrderForm.tsx';
import { OrderConfirmation, OrderReview, type Reviewed } from './OrderReview.tsx';
import { attemptAfter, freshAttempt } from './orderAttempt.ts';
import {
  newOrderDraft,
  type OrderDraft,
  type OrderFault,
  type OrderScope,
  orderFaults,
  writtenOrder,
} from './orderDraft.ts';
import { type ManualOrder, useOrderPreview } from './orderPreview.ts';
import { sheetTexts } from './orderTexts.ts';

interface OrderSheetProps {
  readonly bot: BotDetail;
  readonly view: PairView;
  readonly side: 'buy' | 'sell';
  readonly onClose: () => void;
}

/**
 * Places a manual order; on futures it opens, increases or closes a position. The user enters the amount and then confirms
 * the exact order, unless a paper trader has switched the confirmation off.
 */
export function OrderSheet({ bot, view, side, onClose }: OrderSheetProps) {
  const { pair } = view;
  const { t } = usePricePreferences(pair);
  const { currency } = bot.performance;
  const options = useTradeOptions();
  const asked = isAsked(bot, options);
  const future = isFuture(bot);
  const held = view.position?.direction ?? null;
  const [draft, setDraft] = useState(() => newOrderDraft(options.slippage));
  const [own, setOwn] = useState<readonly OrderFault[]>([]);
  const [refusal, setRefusal] = useState<string | null>(null);
  const [reviewed, setReviewed] = useState<Reviewed | null>(null);
  const [positionChanged, setPositionChanged] = useState(false);
  const [attempt, setAttempt] = useState(freshAttempt);
  const faultFocus = useFaultFocus();
  const colours = useTradeColours();
  const texts = sheetTexts(side, future);

  const short = reviewed?.order.short ?? (future && (held ?? draft.direction) === 'short');
  const scope: OrderScope = { pair, side, short, held };
  const written = writtenOrder(draft, scope);
  const preview = useOrderPreview(bot.id, written, reviewed === null);
  const faultOf = usePreviewFault(pair, currency);

  const order = useMutation({
    mutationFn: (sent: ManualOrder) =>
      ask(botCalls.order, { params: { id: bot.id }, body: { requestId: attempt.requestId, ...sent } }),
    onSuccess(_, sent) {
      toast(t(texts.sent, { pair: sent.pair }));
      onClose();
    },
    onError: (error) => setAttempt((before) => attemptAfter(before, error)),
  });
  /** The order may have arrived, so only the same order may be sent again; it acts once. */
  const uncertain = attempt.outcome === 'uncertain';

  function review(next: Reviewed) {
    setReviewed(next);
    if (!asked) order.mutate(next.order);
  }

  const checked = useMutation({
    mutationFn: (sent: ManualOrder) => ask(botCalls.previewOrder, { params: { id: bot.id }, body: sent }),
    onSuccess(found, sent) {
      const refused = faultOf(found, sent);
      setRefusal(refused);
      if (refused === null) review({ order: sent, held, preview: found });
    },
    // The order itself then gets the reason.
    onError: (_, sent) => review({ order: sent, held, preview: null }),
  });

  const mayBeSent = order.isPending || order.isSuccess || uncertain;
  // The position changed, but not by this order, so the reviewed order would now do something else.
  if (reviewed && (reviewed.order.pair !== pair || reviewed.held !== held) && !mayBeSent) {
    setReviewed(null);
    setPositionChanged(true);
  }

  function check(event: FormEvent) {
    event.preventDefault();
    const wrong = orderFaults(draft, scope, reference);
    setOwn(wrong);
    setRefusal(null);
    if (wrong.length > 0) return;
    setPositionChanged(false);
    order.reset();
    checked.mutate(written);
  }

  const kind = (side === 'buy') !== short ? 'buy' : 'sell';
  const price = view[kind === 'buy' ? 'ask' : 'bid'];
  /** A new position would be exited on the other side of the book. */
  const reference = view[short ? 'ask' : 'bid'];
  const sentence = refusal ?? faultOf(preview.current, written);
  const refused = sentence === null ? null : { field: refusedField(preview.current?.refused?.gate), sentence };
  return (
    <Overlay kind="sheet" title={t(texts.title, { pair })} onClose={onClose}>
      <span className="badges order-badges">
        <MarketBadges venue={bot.venue} mode={bot.mode} />
        <FuturesBadge bot={bot} />
      </span>
      {reviewed ? (
        <div className="order-form order-sheet" style={colours}>
          <OrderReview reviewed={reviewed} currency={currency} future={future} />
          <OrderConfirmation
            kind={kind}
            label={t(uncertain ? 'order.again' : texts.confirm)}
            sent={{ error: order.error, isPending: order.isPending, uncertain }}
            onChange={() => setReviewed(null)}
            onConfirm={() => order.mutate(reviewed.order)}
          />
        </div>
      ) : (
        <form className="order-form order-sheet" style={colours} onSubmit={check} noValidate {...faultFocus.props}>
          {positionChanged && (
            <p className="callout callout-warning" role="alert">
              {t('order.overtaken', { pair })}
            </p>
          )}
          <PriceNow pair={pair} side={kind} price={price} />
          <OrderFields
            bot={bot}
            scope={scope}
            draft={draft}
            faults={{ own, refused }}
            preview={preview}
            price={price}
            reference={reference}
            onChange={(change: Partial<OrderDraft>) => {
              setDraft((before) => ({ ...before, ...change }));
              setOwn([]);
              setRefusal(null);
            }}
          />
          {bot.mode === 'paper' && <ConfirmFirst checked={options.confirm} />}
          <div className="overlay-actions">
            <Button onClick={onClose}>{t('app.cancel')}</Button>
            <SubmitButton kind={kind} asked={asked} busy={checked.isPending} texts={texts} />
          </div>
        </form>
      )}
    </Overlay>
  );
}

/** Returns the field that a refusal of the bot concerns. */
function refusedField(gate: string | undefined): 'amount' | 'price' {
  return gate === 'would_match' || gate === 'trigger_reached' ? 'price' : 'amount';
}

/** Chooses whether paper orders are confirmed in a second step. */
function ConfirmFirst({ checked }: { checked: boolean }) {
  const { t } = usePreferences();
  return (
    <TickField
      label={t('order.confirmFirst')}
      hint={t('order.confirmFirstHint')}
      checked={checked}
      onChange={(confirm) => changeTrade({ confirm })}
    />
  );
}

interface SubmitButtonProps {
  readonly kind: 'buy' | 'sell';
  /** Whether the order is confirmed in a second step. */
  readonly asked: boolean;
  readonly busy: boolean;
  readonly texts: ReturnType<typeof sheetTexts>;
}

function SubmitButton({ kind, asked, busy, texts }: SubmitButtonProps) {
  const { t } = usePreferences();
  if (asked) {
    return (
      <Button kind={kind} type="submit" busy={busy}>
        {t(texts.check)}
      </Button>
    );
  }
  return (
    <ActButton kind={kind} type="submit" busy={busy}>
      {t(texts.confirm)}
    </ActButton>
  );
}
