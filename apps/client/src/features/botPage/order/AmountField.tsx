import { usePricePreferences } from '../../../entities/bot/priceFormat.tsx';
import { type AmountUnit, shareOf, shownMinimum } from '../../../lib/roundedAmount.ts';
import { ShareButtons } from '../../../ui/fields/ShareButtons.tsx';
import { TextField } from '../../../ui/fields/TextField.tsx';
import type { EntryAmount } from './orderAmount.ts';
import type { ManualOrder, OrderPreview } from './orderPreview.ts';

type Limits = Pick<OrderPreview, 'available' | 'availableQuantity' | 'minimum' | 'minimumQuantity'>;

interface AmountFieldProps {
  readonly pair: string;
  readonly currency: string;
  /** The amount in the quote currency is the margin of the order. */
  readonly margin: boolean;
  readonly amount: EntryAmount;
  /** Null before the first preview, and where there is none. */
  readonly limits: Limits | null;
  readonly estimate: OrderPreview['estimate'];
  /** Available amount of the quote currency, which is shown without a preview. */
  readonly available: string;
  readonly fault: string | null;
  readonly onChange: (amount: EntryAmount) => void;
}

/** Enters the amount of an entry, in the quote currency or the asset, also as a share of what is available. */
export function AmountField(props: AmountFieldProps) {
  const { pair, currency, margin, amount, limits, estimate, available, fault, onChange } = props;
  const { t } = usePricePreferences(pair);
  const amountText = useAmountText(pair, currency);
  const { unit } = amount;
  const [base = ''] = pair.split('-');
  const other: AmountUnit = unit === 'quote' ? 'base' : 'quote';
  const whole = limitOf(limits, unit).available ?? (unit === 'quote' ? available : null);
  const { minimum } = limitOf(limits, unit);

  /** Changes the unit. The estimate of the present order has its amount in the other one. */
  function convert() {
    const converted = unit === 'quote' ? estimate?.quantity : estimate?.cost;
    onChange({ text: converted ?? '', unit: other, all: amount.all && converted != null });
  }

  const hint =
    whole === null
      ? undefined
      : minimum === null
        ? t('order.available', { available: amountText(whole, unit) })
        : t('order.limits', {
            available: amountText(whole, unit),
            minimum: amountText(shownMinimum(minimum, unit), unit),
          });
  return (
    <TextField
      label={t('order.value')}
      inputMode="decimal"
      autoComplete="off"
      autoFocus
      data-begin
      unit={unit === 'quote' ? currency : base}
      value={amount.text}
      hint={margin && unit === 'quote' && hint !== undefined ? `${t('order.ofMargin')} ${hint}` : hint}
      fault={fault}
      tools={
        <button type="button" className="field-tool" onClick={convert}>
          {t('order.inUnit', { unit: other === 'quote' ? currency : base })}
        </button>
      }
      below={
        <ShareButtons
          label={t('order.shareOfAvailable')}
          disabled={whole === null}
          onPick={(percent) =>
            whole !== null && onChange({ text: shareOf(whole, percent, unit), unit, all: percent === 100 })
          }
        />
      }
      onChange={(text) => onChange({ text, unit, all: false })}
    />
  );
}

/** Returns the limits in a unit; null where they are unknown. */
function limitOf(limits: Limits | null, unit: AmountUnit): { available: string | null; minimum: string | null } {
  if (limits === null) return { available: null, minimum: null };
  return unit === 'quote'
    ? { available: limits.available, minimum: limits.minimum }
    : { available: limits.availableQuantity, minimum: limits.minimumQuantity };
}

/** Returns how an amount is written. Two decimals would hide a small amount of a dear currency. */
function useAmountText(pair: string, currency: string): (amount: string, unit: AmountUnit) => string {
  const { format } = usePricePreferences(pair);
  const [base = ''] = pair.split('-');
  return (amount, unit) => {
    if (unit === 'base') return `${format.quantity(amount)} ${base}`;
    return Number(amount) > 0 && Number(amount) < 1
      ? `${format.quantity(amount)} ${currency}`
      : format.money(amount, currency);
  };
}

/** Returns the sentence for a refused preview of an order; null for one that is not refused. */
export function usePreviewFault(
  pair: string,
  currency: string,
): (preview: OrderPreview | null, order: ManualOrder) => string | null {
  const { t } = usePricePreferences(pair);
  const amountText = useAmountText(pair, currency);
  return (preview, { side, quantity }) => {
    if (preview === null || preview.refused === null) return null;
    const { refused } = preview;
    const unit = quantity === undefined ? 'quote' : 'base';
    const { available, minimum } = limitOf(preview, unit);
    if (refused.gate === 'below_minimum' && side === 'sell') return t('order.shareTooSmall');
    if (refused.gate === 'below_minimum' && minimum !== null) {
      return t('order.belowMinimum', { minimum: amountText(shownMinimum(minimum, unit), unit) });
    }
    if (refused.gate === 'insufficient_balance' && available !== null) {
      return t('order.valueAbove', { available: amountText(available, unit) });
    }
    return t('order.refused', { reason: refused.reason });
  };
}
