import { botCalls } from '@heron/contract/bots/calls.ts';
import type { BotDetail, PairView } from '@heron/contract/bots/entities.ts';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { FuturesBadge, MarketBadges } from '../../entities/bot/badges.tsx';
import {
  changeTrade,
  isAsked,
  SLIPPAGE,
  tradeOptionsOf,
  useTradeColours,
  useTradeOptions,
} from '../../entities/bot/display/tradeOptions.ts';
import { isFuture } from '../../entities/bot/futures.ts';
import { usePricePreferences } from '../../entities/bot/priceFormat.tsx';
import { readAmount } from '../../lib/amount.ts';
import { usePreferences } from '../../lib/preferences.ts';
import { ask } from '../../lib/server.ts';
import type { Translate } from '../../locales/texts.ts';
import { ActButton } from '../../ui/ActButton.tsx';
import { Button } from '../../ui/Button.tsx';
import { explain } from '../../ui/explain.ts';
import { Choice } from '../../ui/fields/Choice.tsx';
import { NumberField } from '../../ui/fields/NumberField.tsx';
import { TickField } from '../../ui/fields/TickField.tsx';
import { Overlay } from '../../ui/Overlay.tsx';
import { toast } from '../../ui/toasts.tsx';
import { useFaultFocus } from '../../ui/useFaultFocus.ts';
import { AmountField, usePreviewFault } from './AmountField.tsx';
import { OrderEstimate, OrderRow } from './OrderEstimate.tsx';
import { amountFields, type EntryAmount, NO_AMOUNT } from './orderAmount.ts';
import { attemptAfter, freshAttempt } from './orderAttempt.ts';
import { type ManualOrder, type OrderPreview, useOrderPreview } from './orderPreview.ts';

interface OrderSheetProps {
  readonly bot: BotDetail;
  readonly view: PairView;
  readonly side: 'buy' | 'sell';
  readonly onClose: () => void;
}

const SHARES = ['25', '50', '75', '100'] as const;

/** A reviewed order and the position at that time. The order is sent as reviewed, even if the position changes. */
interface Reviewed {
  readonly order: ManualOrder;
  readonly held: 'long' | 'short' | null;
  /** Null where the bot host has no previews, or did not respond. */
  readonly preview: OrderPreview | null;
}

/**
 * Places a manual order; on futures it opens, increases or closes a position. The user enters the amount and then confirms
 * the exact order, unless a paper trader has switched the confirmation off.
 */
export function OrderSheet({ bot, view, side, onClose }: OrderSheetProps) {
  const { t } = usePricePreferences(view.pair);
  const { currency } = bot.performance;
  const options = useTradeOptions();
  const asked = isAsked(bot, options);
  const [type, setType] = useState<'taker' | 'maker'>('taker');
  const [amount, setAmount] = useState(NO_AMOUNT);
  const [percent, setPercent] = useState<(typeof SHARES)[number]>('100');
  const held = view.position?.direction ?? null;
  const [direction, setDirection] = useState<'long' | 'short'>('long');
  const [slippage, setSlippage] = useState(String(options.slippage));
  const [fault, setFault] = useState<string | null>(null);
  const [slippageFault, setSlippageFault] = useState<string | null>(null);
  const [reviewed, setReviewed] = useState<Reviewed | null>(null);
  const [positionChanged, setPositionChanged] = useState(false);
  const faultFocus = useFaultFocus();
  const future = isFuture(bot);
  const mayChoose = isNewPosition(side, future, held);
  const short = reviewed?.order.short ?? (future && (held ?? direction) === 'short');
  const buys = (side === 'buy') !== short;
  const kind = buys ? 'buy' : 'sell';
  const texts = textsOf(side, { future, short });
  const [attempt, setAttempt] = useState(freshAttempt);

  const slippagePercent = percentOf(slippage);
  const given = givenAmount(side, amount, percent);
  const written = { pair: view.pair, side, type, short, ...given, ...slippageField(type, slippagePercent) };
  const { limits, current } = useOrderPreview(bot.id, written, reviewed === null);
  const faultOf = usePreviewFault(view.pair, currency);
  const amountOf = useAmountOf(view.pair, currency);

  const order = useMutation({
    mutationFn: (sent: ManualOrder) =>
      ask(botCalls.order, { params: { id: bot.id }, body: { requestId: attempt.requestId, ...sent } }),
    onSuccess(_, { pair }) {
      toast(t(texts.sent, { pair }));
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
    onSuccess(preview, sent) {
      const refused = faultOf(preview, sent);
      setFault(refused);
      if (refused === null) review({ order: sent, held, preview });
    },
    // The order itself then gets the reason.
    onError: (_, sent) => review({ order: sent, held, preview: null }),
  });

  const mayBeSent = order.isPending || order.isSuccess || uncertain;
  // The position changed, but not by this order, so the reviewed order would now do something else.
  if (reviewed && (reviewed.order.pair !== view.pair || reviewed.held !== held) && !mayBeSent) {
    setReviewed(null);
    setPositionChanged(true);
  }

  function check(event: FormEvent) {
    event.preventDefault();
    const wrong = faultsOf(written, t);
    setFault(wrong.amount);
    setSlippageFault(wrong.slippage);
    if (wrong.isWrong) return;
    setPositionChanged(false);
    order.reset();
    checked.mutate(written);
  }

  const title = t(texts.title, { pair: view.pair });
  const priceNow = view[kind === 'buy' ? 'ask' : 'bid'];
  const confirmLabel = t(uncertain ? 'order.again' : texts.confirm);
  const colours = useTradeColours();
  const rising = useRising(priceNow);
  const shownFault = fault ?? faultOf(current, written);
  return (
    <Overlay kind="sheet" title={title} onClose={onClose}>
      <span className="badges order-badges">
        <MarketBadges venue={bot.venue} mode={bot.mode} />
        <FuturesBadge bot={bot} />
      </span>
      {reviewed ? (
        <div className="order-form order-sheet" style={colours}>
          <OrderReview
            reviewed={reviewed}
            currency={currency}
            sentence={t(texts[reviewed.order.type], { pair: reviewed.order.pair, amount: amountOf(reviewed.order) })}
          />
          <OrderConfirmation
            kind={kind}
            label={confirmLabel}
            sent={{ error: order.error, isPending: order.isPending, uncertain }}
            onChange={() => setReviewed(null)}
            onConfirm={() => order.mutate(reviewed.order)}
          />
        </div>
      ) : (
        <form className="order-form order-sheet" style={colours} onSubmit={check} noValidate {...faultFocus.props}>
          {positionChanged && (
            <p className="callout callout-warning" role="alert">
              {t('order.overtaken', { pair: view.pair })}
            </p>
          )}
          <PriceNow pair={view.pair} side={kind} price={priceNow} rising={rising} />
          {mayChoose && <DirectionChoice value={direction} onChange={setDirection} />}
          <Choice
            label={t('order.type')}
            value={type}
            choices={[
              { value: 'taker', title: t('order.market') },
              { value: 'maker', title: t('order.postOnly') },
            ]}
            onChange={setType}
          />
          {side === 'buy' ? (
            <AmountField
              pair={view.pair}
              currency={currency}
              margin={future}
              amount={amount}
              limits={limits}
              estimate={current?.estimate ?? null}
              available={bot.performance.available}
              fault={shownFault}
              onChange={(next) => {
                setAmount(next);
                setFault(null);
              }}
            />
          ) : (
            <ShareChoice
              value={percent}
              fault={shownFault}
              onChange={(share) => {
                setPercent(share);
                setFault(null);
              }}
            />
          )}
          <FormEstimate pair={view.pair} currency={currency} preview={current} />
          {type === 'taker' && (
            <SlippageField
              value={slippage}
              saved={options.slippage}
              fault={slippageFault}
              onChange={(text) => {
                setSlippage(text);
                setSlippageFault(null);
              }}
            />
          )}
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

/** Returns how the amount of an order is written. */
function useAmountOf(pair: string, currency: string): (order: ManualOrder) => string {
  const { format } = usePricePreferences(pair);
  const [base] = pair.split('-');
  return ({ value, quantity, percent }) => {
    if (value !== undefined) return format.money(value, currency);
    return quantity === undefined ? `${percent}%` : `${format.quantity(quantity)} ${base}`;
  };
}

/** Returns the amount fields of an order; none while an entry has no valid amount. */
function givenAmount(side: 'buy' | 'sell', amount: EntryAmount, percent: string) {
  return side === 'buy' ? amountFields(amount) : { percent: Number(percent) };
}

/** Returns the slippage of a taker order while it is a valid one. */
function slippageField(type: ManualOrder['type'], slippagePercent: number): Pick<ManualOrder, 'slippagePercent'> {
  return type === 'taker' && isSlippage(slippagePercent) ? { slippagePercent } : {};
}

/** Shows what the order in the form would do; nothing while that is unknown. */
function FormEstimate({ pair, currency, preview }: { pair: string; currency: string; preview: OrderPreview | null }) {
  const { t } = usePreferences();
  if (!preview?.estimate) return null;
  if (preview.estimate.price === null) return <p className="field-note">{t('order.nothingFills')}</p>;
  return <OrderEstimate pair={pair} currency={currency} preview={preview} whole={false} />;
}

/** Whether an order opens a futures position, whose direction the user chooses. */
function isNewPosition(side: 'buy' | 'sell', future: boolean, held: string | null): boolean {
  return side === 'buy' && future && held === null;
}

/** Returns what is wrong with an order before it is sent. */
function faultsOf({ side, type, value, quantity, slippagePercent }: ManualOrder, t: Translate) {
  const [min, max] = SLIPPAGE;
  const hasAmount = side === 'sell' || value !== undefined || quantity !== undefined;
  const hasSlippage = type === 'maker' || slippagePercent !== undefined;
  return {
    amount: hasAmount ? null : t('order.valueWrong'),
    slippage: hasSlippage ? null : t('order.slippageWrong', { min, max }),
    isWrong: !(hasAmount && hasSlippage),
  };
}

type Share = (typeof SHARES)[number];

interface ShareChoiceProps {
  readonly value: Share;
  readonly fault: string | null;
  readonly onChange: (share: Share) => void;
}

/** Chooses the share of a position to sell. */
function ShareChoice({ value, fault, onChange }: ShareChoiceProps) {
  const { t } = usePreferences();
  const choices = SHARES.map((share) => ({ value: share, title: share === '100' ? t('order.all') : `${share}%` }));
  return <Choice label={t('order.share')} value={value} fault={fault} choices={choices} onChange={onChange} />;
}

interface DirectionChoiceProps {
  readonly value: 'long' | 'short';
  readonly onChange: (direction: 'long' | 'short') => void;
}

function DirectionChoice({ value, onChange }: DirectionChoiceProps) {
  const { t } = usePreferences();
  return (
    <Choice
      label={t('order.direction')}
      value={value}
      choices={[
        { value: 'long', title: t('direction.long') },
        { value: 'short', title: t('direction.short') },
      ]}
      onChange={onChange}
    />
  );
}

interface OrderReviewProps {
  readonly reviewed: Reviewed;
  readonly currency: string;
  /** Says in words what the order does. */
  readonly sentence: string;
}

/** Shows the order that will be sent and its estimates. It takes the focus, which the form that it replaces had. */
function OrderReview({ reviewed: { order, preview }, currency, sentence }: OrderReviewProps) {
  const { t } = usePreferences();
  const review = useRef<HTMLElement>(null);
  useEffect(() => {
    review.current?.focus({ preventScroll: true });
    review.current?.closest('dialog')?.scrollTo(0, 0);
  }, []);
  const isTaker = order.type === 'taker';
  return (
    <section className="order-review" ref={review} tabIndex={-1} aria-label={t('order.review')}>
      <p className="overlay-text">
        {sentence}
        {isTaker && ` ${t('order.confirmSlippage', { percent: String(order.slippagePercent) })}`}
      </p>
      {preview && (
        <OrderEstimate pair={order.pair} currency={currency} preview={preview} whole>
          <OrderRow name={t('order.type')}>{t(isTaker ? 'order.market' : 'order.postOnly')}</OrderRow>
          <OrderRow name={t('order.direction')}>
            {t(preview.leverage === null ? `side.${preview.side}` : `direction.${preview.direction}`)}
          </OrderRow>
        </OrderEstimate>
      )}
      {preview?.estimate?.price === null && <p className="field-note">{t('order.nothingFills')}</p>}
    </section>
  );
}

interface PriceNowProps {
  readonly side: 'buy' | 'sell';
  readonly pair: string;
  readonly price: string | null;
  readonly rising: boolean;
}

/** Renders the price that an order of this side meets. */
function PriceNow({ side, pair, price, rising }: PriceNowProps) {
  const { t, format } = usePricePreferences(pair);
  return (
    <p className="order-price">
      <span>{t(side === 'buy' ? 'quote.ask' : 'quote.bid')}</span>
      <span className={rising ? 'num figure order-rising' : 'num figure'}>
        {price === null ? '—' : format.price(price)}
      </span>
    </p>
  );
}

interface SlippageFieldProps {
  readonly value: string;
  /** The slippage of the user's options, in percent. */
  readonly saved: number;
  readonly fault: string | null;
  readonly onChange: (text: string) => void;
}

/** Renders the slippage of a taker order. A slippage that differs from the saved one can be saved. */
function SlippageField({ value, saved, fault, onChange }: SlippageFieldProps) {
  const { t, format } = usePreferences();
  const typed = percentOf(value);
  const isOther = tradeOptionsOf({ slippage: typed }).slippage === typed && typed !== saved;
  return (
    <>
      <NumberField
        label={t('order.slippage')}
        hint={t('order.slippageHint')}
        unit="%"
        range={SLIPPAGE}
        value={value}
        fault={fault ?? undefined}
        onChange={onChange}
      />
      {isOther && (
        <Button kind="quiet" onClick={() => changeTrade({ slippage: typed })}>
          {t('order.keepSlippage', { percent: format.number(typed) })}
        </Button>
      )}
    </>
  );
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

interface OrderConfirmationProps {
  readonly kind: 'buy' | 'sell';
  readonly label: string;
  /** The order as it was sent. It is `uncertain` if it may have arrived although no response did. */
  readonly sent: { readonly error: Error | null; readonly isPending: boolean; readonly uncertain: boolean };
  readonly onChange: () => void;
  readonly onConfirm: () => void;
}

/** Sends the reviewed order or returns to the form. Explains why the order failed. */
function OrderConfirmation({ kind, label, sent, onChange, onConfirm }: OrderConfirmationProps) {
  const { t } = usePreferences();
  return (
    <>
      {sent.error && (
        <p className="callout callout-problem" role="alert">
          {explain(sent.error, t)}
          {sent.uncertain && ` ${t('order.uncertain')}`}
        </p>
      )}
      <div className="overlay-actions">
        {!sent.uncertain && (
          <Button onClick={onChange} disabled={sent.isPending}>
            {t('order.change')}
          </Button>
        )}
        <ActButton kind={kind} busy={sent.isPending} onClick={onConfirm}>
          {label}
        </ActButton>
      </div>
    </>
  );
}

interface SubmitButtonProps {
  readonly kind: 'buy' | 'sell';
  /** Whether the order is confirmed in a second step. */
  readonly asked: boolean;
  readonly busy: boolean;
  readonly texts: ReturnType<typeof textsOf>;
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

function percentOf(text: string): number {
  return Number(readAmount(text) ?? Number.NaN);
}

function isSlippage(percent: number): boolean {
  const [min, max] = SLIPPAGE;
  return percent >= min && percent <= max;
}

/** Returns whether a price is above the previous one. */
function useRising(price: string | null): boolean {
  const [{ now, rising }, setSeen] = useState({ now: price, rising: false });
  if (price === now) return rising;
  const risen = price !== null && now !== null && Number(price) > Number(now);
  setSeen({ now: price, rising: risen });
  return risen;
}

const BUY = {
  title: 'order.buyTitle',
  check: 'order.checkBuy',
  confirm: 'order.confirmBuy',
  taker: 'order.confirmBuyTaker',
  maker: 'order.confirmBuyMaker',
  sent: 'order.buySent',
} as const;
const SELL = {
  title: 'order.sellTitle',
  check: 'order.checkSell',
  confirm: 'order.confirmSell',
  taker: 'order.confirmSellTaker',
  maker: 'order.confirmSellMaker',
  sent: 'order.sellSent',
} as const;
const LONG = {
  title: 'order.openTitle',
  check: 'order.checkOpen',
  confirm: 'order.confirmOpen',
  taker: 'order.confirmLongTaker',
  maker: 'order.confirmLongMaker',
  sent: 'order.openSent',
} as const;
const SHORT = {
  ...LONG,
  taker: 'order.confirmShortTaker',
  maker: 'order.confirmShortMaker',
} as const;
const CLOSE = {
  title: 'order.closeTitle',
  check: 'order.checkClose',
  confirm: 'order.confirmClose',
  taker: 'order.confirmCloseTaker',
  maker: 'order.confirmCloseMaker',
  sent: 'order.closeSent',
} as const;

function textsOf(side: 'buy' | 'sell', { future, short }: { future: boolean; short: boolean }) {
  if (!future) return side === 'buy' ? BUY : SELL;
  if (side === 'sell') return CLOSE;
  return short ? SHORT : LONG;
}
