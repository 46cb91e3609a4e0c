import { usePricePreferences } from '../../../entities/bot/priceFormat.tsx';
import { TextField } from '../../../ui/fields/TextField.tsx';
import { type ExitDraft, type ExitFault, readPrice } from './orderDraft.ts';

interface ExitPriceFieldsProps {
  readonly pair: string;
  readonly currency: string;
  readonly exits: ExitDraft;
  /** Price from which the distance is measured; null while unknown. */
  readonly reference: string | null;
  readonly faults: readonly { readonly field: string }[];
  readonly onChange: (exits: ExitDraft) => void;
}

/** Enters the stop-loss and the take-profit of a price exit, and shows how far they are from the reference price. */
export function ExitPriceFields({ pair, currency, exits, reference, faults, onChange }: ExitPriceFieldsProps) {
  const { t } = usePricePreferences(pair);
  const sentence = useExitFault(pair);
  const distance = useDistance(pair, reference);
  const fieldOf = (name: keyof ExitDraft) => {
    const fault = faults.find((each): each is ExitFault => each.field === name);
    return (
      <TextField
        label={t(name === 'stopLoss' ? 'priceExit.stopLoss' : 'priceExit.takeProfit')}
        inputMode="decimal"
        autoComplete="off"
        unit={currency}
        value={exits[name]}
        hint={distance(exits[name])}
        fault={fault && sentence(fault)}
        onChange={(text) => onChange({ ...exits, [name]: text })}
      />
    );
  };
  return (
    <div className="order-pair">
      {fieldOf('stopLoss')}
      {fieldOf('takeProfit')}
    </div>
  );
}

/** Returns a function that says how far a typed price is from the reference price; undefined where that is unknown. */
export function useDistance(pair: string, reference: string | null): (text: string) => string | undefined {
  const { t, format } = usePricePreferences(pair);
  return (text) => {
    const price = readPrice(text);
    if (price === null || reference === null || Number(reference) === 0) return undefined;
    const percent = (100 * (Number(price) - Number(reference))) / Number(reference);
    return t('order.distance', { percent: format.signedPercent(percent), price: format.price(reference) });
  };
}

function useExitFault(pair: string): (fault: ExitFault) => string {
  const { t, format } = usePricePreferences(pair);
  return (fault) => {
    switch (fault.why) {
      case 'missing':
        return t('priceExit.missing');
      case 'malformed':
        return t('order.priceWrong');
      default: {
        const name = t(fault.field === 'stopLoss' ? 'priceExit.stopLoss' : 'priceExit.takeProfit');
        const price = format.price(fault.price);
        return t(fault.why === 'below' ? 'priceExit.mustBeBelow' : 'priceExit.mustBeAbove', { name, price });
      }
    }
  };
}
