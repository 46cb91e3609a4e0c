import { botCalls } from '@heron/contract/bots/calls.ts';
import type { BotDetail, PairView } from '@heron/contract/bots/entities.ts';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { MarketBadges } from '../../entities/bot/badges.tsx';
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
import { ActButton } from '../../ui/ActButton.tsx';
import { Button } from '../../ui/Button.tsx';
import { explain } from '../../ui/explain.ts';
import { Choice } from '../../ui/fields/Choice.tsx';
import { NumberField } from '../../ui/fields/NumberField.tsx';
import { TextField } from '../../ui/fields/TextField.tsx';
import { TickField } from '../../ui/fields/TickField.tsx';
import { Overlay } from '../../ui/Overlay.tsx';
import { toast } from '../../ui/toasts.tsx';
import { attemptAfter, freshAttempt } from './orderAttempt.ts';

interface OrderSheetProps {
  readonly bot: BotDetail;
  readonly view: PairView;
  readonly side: 'buy' | 'sell';
  readonly onClose: () => void;
}

const SHARES = ['25', '50', '75', '100'] as const;

/** Holds the parsed values of an order. */
interface Understood {
  readonly pair: string;
  readonly value: string;
  readonly slippagePercent: number;
}

/**
 * Places a manual order; on futures it opens, increases or closes a position. The user enters the amount and then confirms
 * the exact order, unless a paper trader has switched the confirmation off.
 */
export function OrderSheet({ bot, view, side, onClose }: OrderSheetProps) {
  const { t, format } = usePricePreferences(view.pair);
  const { currency, available } = bot.performance;
  const options = useTradeOptions();
  const asked = isAsked(bot, options);
  const [type, setType] = useState<'taker' | 'maker'>('taker');
  const [value, setValue] = useState('');
  const [percent, setPercent] = useState<(typeof SHARES)[number]>('100');
  const held = view.position?.direction ?? null;
  const [direction, setDirection] = useState<'long' | 'short'>('long');
  const [slippage, setSlippage] = useState(String(options.slippage));
  const [fault, setFault] = useState<string | null>(null);
  const [slippageFault, setSlippageFault] = useState<string | null>(null);
  /** The reviewed order and the position at that time. The order is sent as reviewed, even if the position changes. */
  const [reviewed, setReviewed] = useState<{ pair: string; held: typeof held; short: boolean } | null>(null);
  const [positionChanged, setPositionChanged] = useState(false);
  const future = isFuture(bot);
  const short = reviewed?.short ?? (future && (held ?? direction) === 'short');
  const buys = (side === 'buy') !== short;
  const kind = buys ? 'buy' : 'sell';
  const texts = textsOf(side, { future, short });
  const [attempt, setAttempt] = useState(freshAttempt);

  const order = useMutation({
    mutationFn: ({ pair, value, slippagePercent }: Understood) =>
      ask(botCalls.order, {
        params: { id: bot.id },
        body: {
          requestId: attempt.requestId,
          pair,
          side,
          type,
          ...(side === 'buy' ? { value, short } : { percent: Number(percent) }),
          ...(type === 'taker' ? { slippagePercent } : {}),
        },
      }),
    onSuccess(_, { pair }) {
      toast(t(texts.sent, { pair }));
      onClose();
    },
    onError: (error) => setAttempt((before) => attemptAfter(before, error)),
  });
  /** The order may have arrived, so only the same order may be sent again; it acts once. */
  const uncertain = attempt.outcome === 'uncertain';

  const mayBeSent = order.isPending || order.isSuccess || uncertain;
  // The position changed, but not by this order, so the reviewed order would now do something else.
  if (reviewed && (reviewed.pair !== view.pair || reviewed.held !== held) && !mayBeSent) {
    setReviewed(null);
    setPositionChanged(true);
  }

  function check(event: FormEvent) {
    event.preventDefault();
    const amount = side === 'buy' ? readAmount(value) : value;
    if (side === 'buy') {
      if (amount === null || Number(amount) <= 0) return setFault(t('order.valueWrong'));
      setValue(amount);
      if (Number(amount) > Number(available)) {
        return setFault(t('order.valueAbove', { available: format.money(available, currency) }));
      }
    }
    setFault(null);
    const [min, max] = SLIPPAGE;
    const percentage = percentOf(slippage);
    if (type === 'taker' && !isSlippage(percentage)) {
      return setSlippageFault(t('order.slippageWrong', { min, max }));
    }
    setSlippageFault(null);
    // The parsed number is kept, because the server does not parse full-width digits.
    if (type === 'taker') setSlippage(String(percentage));
    setPositionChanged(false);
    order.reset();
    setReviewed({ pair: view.pair, held, short });
    if (!asked) order.mutate({ pair: view.pair, value: amount ?? value, slippagePercent: percentage });
  }

  function reviewText(pair: string): string {
    const amount = side === 'buy' ? format.money(value, currency) : `${percent}%`;
    const sentence = t(texts[type], { pair, amount });
    return type === 'taker' ? `${sentence} ${t('order.confirmSlippage', { percent: slippage })}` : sentence;
  }

  const title = t(texts.title, { pair: view.pair });
  const priceNow = buys ? view.ask : view.bid;
  const confirmLabel = t(uncertain ? 'order.again' : texts.confirm);
  const colours = useTradeColours();
  const rising = useRising(priceNow);
  return (
    <Overlay kind="sheet" title={title} onClose={onClose}>
      <MarketBadges venue={bot.venue} mode={bot.mode} />
      {reviewed ? (
        <div className="order-form" style={colours}>
          <p className="overlay-text">{reviewText(reviewed.pair)}</p>
          <OrderConfirmation
            kind={kind}
            label={confirmLabel}
            sent={{ error: order.error, isPending: order.isPending, uncertain }}
            onChange={() => setReviewed(null)}
            onConfirm={() => order.mutate({ pair: reviewed.pair, value, slippagePercent: Number(slippage) })}
          />
        </div>
      ) : (
        <form className="order-form" style={colours} onSubmit={check} noValidate>
          {positionChanged && (
            <p className="callout callout-warning" role="alert">
              {t('order.overtaken', { pair: view.pair })}
            </p>
          )}
          <PriceNow pair={view.pair} side={kind} price={priceNow} rising={rising} />
          {side === 'buy' && future && held === null && (
            <Choice
              label={t('order.direction')}
              value={direction}
              choices={[
                { value: 'long', title: t('direction.long') },
                { value: 'short', title: t('direction.short') },
              ]}
              onChange={setDirection}
            />
          )}
          {side === 'buy' ? (
            <TextField
              label={t('order.value')}
              inputMode="decimal"
              autoComplete="off"
              autoFocus
              data-begin
              unit={currency}
              value={value}
              hint={t('order.available', { available: format.money(available, currency) })}
              fault={fault}
              onChange={setValue}
            />
          ) : (
            <Choice
              label={t('order.share')}
              value={percent}
              choices={SHARES.map((share) => ({ value: share, title: share === '100' ? t('order.all') : `${share}%` }))}
              onChange={setPercent}
            />
          )}
          <Choice
            label={t('order.type')}
            value={type}
            choices={[
              { value: 'taker', title: t('option.taker') },
              { value: 'maker', title: t('option.maker') },
            ]}
            onChange={setType}
          />
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
            <SubmitButton kind={kind} asked={asked} texts={texts} />
          </div>
        </form>
      )}
    </Overlay>
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
  readonly texts: ReturnType<typeof textsOf>;
}

function SubmitButton({ kind, asked, texts }: SubmitButtonProps) {
  const { t } = usePreferences();
  if (asked) {
    return (
      <Button kind={kind} type="submit">
        {t(texts.check)}
      </Button>
    );
  }
  return (
    <ActButton kind={kind} type="submit">
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
