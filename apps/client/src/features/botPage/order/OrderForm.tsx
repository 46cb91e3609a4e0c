import type { BotDetail } from '@heron/contract/bots/entities.ts';
import { useState } from 'react';
import { changeTrade, SLIPPAGE, tradeOptionsOf, useTradeOptions } from '../../../entities/bot/display/tradeOptions.ts';
import { isFuture } from '../../../entities/bot/futures.ts';
import { usePricePreferences } from '../../../entities/bot/priceFormat.tsx';
import { usePreferences } from '../../../lib/preferences.ts';
import { Button } from '../../../ui/Button.tsx';
import { Choice } from '../../../ui/fields/Choice.tsx';
import { NumberField } from '../../../ui/fields/NumberField.tsx';
import { TextField } from '../../../ui/fields/TextField.tsx';
import { TickField } from '../../../ui/fields/TickField.tsx';
import { AmountField } from './AmountField.tsx';
import { ExitPriceFields, useDistance } from './ExitPriceFields.tsx';
import { OrderEstimate } from './OrderEstimate.tsx';
import {
  expectedEntry,
  mayProtect,
  needsPrice,
  type OrderDraft,
  type OrderFault,
  type OrderKind,
  type OrderScope,
  percentOf,
  SHARES,
  usesSlippage,
} from './orderDraft.ts';
import type { FormPreview } from './orderPreview.ts';
import { ORDER_TYPE_NAMES } from './orderTexts.ts';

/** The faults of the form; one that the bot has found comes in words. */
export interface FormFaults {
  readonly own: readonly OrderFault[];
  /** The bot's refusal, at the field that it concerns. */
  readonly refused: { readonly field: 'amount' | 'price'; readonly sentence: string } | null;
}

interface OrderFormProps {
  readonly bot: BotDetail;
  readonly scope: OrderScope;
  readonly draft: OrderDraft;
  readonly faults: FormFaults;
  readonly preview: FormPreview;
  /** Price that the order meets. */
  readonly price: string | null;
  /** Price with which price exits are compared. */
  readonly reference: string | null;
  readonly onChange: (change: Partial<OrderDraft>) => void;
}

/** Renders the fields of a manual order with its estimate. */
export function OrderFields({ bot, scope, draft, faults, preview, price, reference, onChange }: OrderFormProps) {
  const { t } = usePreferences();
  const { pair, side, held } = scope;
  const { currency } = bot.performance;
  const future = isFuture(bot);
  const { kind } = draft;
  const isBuy = side === 'buy';
  const has = (field: OrderFault['field']) => faults.own.some((fault) => fault.field === field);
  const refused = (field: 'amount' | 'price') => (faults.refused?.field === field ? faults.refused.sentence : null);
  const [min, max] = SLIPPAGE;
  return (
    <>
      {isBuy && future && held === null && (
        <DirectionChoice value={draft.direction} onChange={(direction) => onChange({ direction })} />
      )}
      <KindChoice isBuy={isBuy} value={kind} onChange={(next) => onChange({ kind: next })} />
      {isBuy && needsPrice(kind) && (
        <PriceField
          pair={pair}
          currency={currency}
          draft={draft}
          market={price}
          fault={has('price') ? t('order.priceWrong') : refused('price')}
          onChange={onChange}
        />
      )}
      {isBuy ? (
        <AmountField
          pair={pair}
          currency={currency}
          margin={future}
          amount={draft.amount}
          limits={preview.limits}
          estimate={preview.current?.estimate ?? null}
          available={bot.performance.available}
          fault={has('amount') ? t('order.valueWrong') : refused('amount')}
          onChange={(amount) => onChange({ amount })}
        />
      ) : (
        <ShareChoice value={draft.percent} fault={refused('amount')} onChange={(percent) => onChange({ percent })} />
      )}
      <FormEstimate pair={pair} currency={currency} preview={preview} />
      {mayProtect(side, held) && (
        <>
          <TickField
            label={t('order.protects')}
            hint={t('order.protectsHint')}
            checked={draft.protects}
            onChange={(protects) => onChange({ protects })}
          />
          {draft.protects && (
            <ExitPriceFields
              pair={pair}
              currency={currency}
              exits={draft.exits}
              reference={expectedEntry(draft, scope.short, reference)}
              faults={faults.own}
              onChange={(exits) => onChange({ exits })}
            />
          )}
        </>
      )}
      {usesSlippage(kind) && (
        <SlippageField
          hint={t(kind === 'stop' ? 'order.stopSlippageHint' : 'order.slippageHint')}
          value={draft.slippage}
          fault={has('slippage') ? t('order.slippageWrong', { min, max }) : null}
          onChange={(slippage) => onChange({ slippage })}
        />
      )}
    </>
  );
}

interface KindChoiceProps {
  readonly isBuy: boolean;
  readonly value: OrderKind;
  readonly onChange: (kind: OrderKind) => void;
}

/** Exits at a price are set beside the position. */
const EXIT_KINDS = ['taker', 'maker'] as const;
const ENTRY_KINDS = ['taker', 'limit', 'stop', 'maker'] as const;
const KIND_HINTS = {
  taker: 'order.marketHint',
  limit: 'order.limitHint',
  stop: 'order.stopHint',
  maker: 'order.chaseHint',
} as const;

function KindChoice({ isBuy, value, onChange }: KindChoiceProps) {
  const { t } = usePreferences();
  const choices = (isBuy ? ENTRY_KINDS : EXIT_KINDS).map((kind) => ({ value: kind, title: t(ORDER_TYPE_NAMES[kind]) }));
  return (
    <Choice label={t('order.type')} hint={t(KIND_HINTS[value])} value={value} choices={choices} onChange={onChange} />
  );
}

interface PriceFieldProps {
  readonly pair: string;
  readonly currency: string;
  readonly draft: OrderDraft;
  readonly market: string | null;
  readonly fault: string | null;
  readonly onChange: (change: Partial<OrderDraft>) => void;
}

/** Enters the price of a limit or stop order, and shows how far it is from the market. */
function PriceField({ pair, currency, draft, market, fault, onChange }: PriceFieldProps) {
  const { t } = usePricePreferences(pair);
  const distance = useDistance(pair, market);
  const isLimit = draft.kind === 'limit';
  return (
    <>
      <TextField
        label={t(isLimit ? 'order.limitPrice' : 'order.stopPrice')}
        inputMode="decimal"
        autoComplete="off"
        unit={currency}
        value={draft.price}
        hint={distance(draft.price)}
        fault={fault}
        tools={
          // A stop or post-only order at the market would be refused.
          market !== null &&
          isLimit &&
          !draft.postOnly && (
            <button type="button" className="field-tool" onClick={() => onChange({ price: market })}>
              {t('order.useMarket')}
            </button>
          )
        }
        onChange={(price) => onChange({ price })}
      />
      {isLimit && (
        <TickField
          label={t('order.postOnly')}
          hint={t('order.postOnlyHint')}
          checked={draft.postOnly}
          onChange={(postOnly) => onChange({ postOnly })}
        />
      )}
    </>
  );
}

/** Shows what the order in the form would do; nothing while that is unknown. */
function FormEstimate({ pair, currency, preview }: { pair: string; currency: string; preview: FormPreview }) {
  const { t } = usePreferences();
  const { current } = preview;
  if (!current?.estimate) return null;
  if (current.estimate.price === null) return <p className="field-note">{t('order.nothingFills')}</p>;
  return <OrderEstimate pair={pair} currency={currency} preview={current} whole={false} />;
}

interface ShareChoiceProps {
  /** In percent. One that is not offered, such as that of another client, is added. */
  readonly value: string;
  readonly fault?: string | null;
  readonly onChange: (share: string) => void;
}

/** Chooses the share of a position to exit. */
export function ShareChoice({ value, fault = null, onChange }: ShareChoiceProps) {
  const { t } = usePreferences();
  const shares: readonly string[] = SHARES.some((share) => share === value) ? SHARES : [value, ...SHARES];
  const choices = shares.map((share) => ({ value: share, title: share === '100' ? t('order.all') : `${share}%` }));
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

interface PriceNowProps {
  readonly side: 'buy' | 'sell';
  readonly pair: string;
  readonly price: string | null;
}

/** Renders the price that an order of this side meets. */
export function PriceNow({ side, pair, price }: PriceNowProps) {
  const { t, format } = usePricePreferences(pair);
  const rising = useRising(price);
  return (
    <p className="order-price">
      <span>{t(side === 'buy' ? 'quote.ask' : 'quote.bid')}</span>
      <span className={rising ? 'num figure order-rising' : 'num figure'}>
        {price === null ? '—' : format.price(price)}
      </span>
    </p>
  );
}

/** Returns whether a price is above the previous one. */
function useRising(price: string | null): boolean {
  const [{ now, rising }, setSeen] = useState({ now: price, rising: false });
  if (price === now) return rising;
  const risen = price !== null && now !== null && Number(price) > Number(now);
  setSeen({ now: price, rising: risen });
  return risen;
}

interface SlippageFieldProps {
  readonly hint: string;
  readonly value: string;
  readonly fault: string | null;
  readonly onChange: (text: string) => void;
}

/** Renders the slippage of an order at market. A slippage that differs from the saved one can be saved. */
function SlippageField({ hint, value, fault, onChange }: SlippageFieldProps) {
  const { t, format } = usePreferences();
  const saved = useTradeOptions().slippage;
  const typed = percentOf(value);
  const isOther = tradeOptionsOf({ slippage: typed }).slippage === typed && typed !== saved;
  return (
    <>
      <NumberField
        label={t('order.slippage')}
        hint={hint}
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
