import { type KeyboardEvent, useEffect, useRef } from 'react';
import { usePreferences } from '../../../lib/preferences.ts';
import { TickField } from '../../../ui/fields/TickField.tsx';
import { Overlay } from '../../../ui/Overlay.tsx';

const SORTS = ['reg_time', 'login'] as const;

/** Maps each arrow key to a step in the list. */
const STEPS = new Map([
  ['ArrowDown', 1],
  ['ArrowRight', 1],
  ['ArrowUp', -1],
  ['ArrowLeft', -1],
]);

export type Sort = (typeof SORTS)[number];

interface SortSheetProps {
  readonly sort: Sort;
  /** Sets whether deleted users are shown; null when the viewer may not see them. */
  readonly deleted: boolean | null;
  readonly onSort: (sort: Sort) => void;
  readonly onDeleted: (deleted: boolean) => void;
  readonly onClose: () => void;
}

/**
 * Selects the order, and whether deleted users are shown.
 */
export function SortSheet({ sort, deleted, onSort, onDeleted, onClose }: SortSheetProps) {
  const { t } = usePreferences();
  const orders = useRef<HTMLFieldSetElement>(null);

  // This effect runs after the overlay has focused its first button.
  useEffect(() => orders.current?.querySelector<HTMLElement>(':checked')?.focus(), []);

  function choose(order: Sort) {
    onSort(order);
    onClose();
  }

  /** Moves the focus only. By default arrow keys also select a radio button, which would close the sheet. */
  function move(event: KeyboardEvent<HTMLElement>) {
    const step = STEPS.get(event.key) ?? 0;
    const all = [...(orders.current?.querySelectorAll('input') ?? [])];
    const at = all.findIndex((one) => one.matches(':focus'));
    if (event.key === 'Enter') all[at]?.click();
    else if (step !== 0) all[(at + step + all.length) % all.length]?.focus();
    else return;
    event.preventDefault();
  }

  return (
    <Overlay kind="sheet" title={t('users.sort')} onClose={onClose}>
      <fieldset ref={orders} className="options" onKeyDown={move}>
        <legend className="hidden">{t('users.sort')}</legend>
        {SORTS.map((value) => (
          <label key={value} className="option">
            <input type="radio" name="sort" defaultChecked={value === sort} onClick={() => choose(value)} />
            <span>{t(`userSort.${value}`)}</span>
          </label>
        ))}
      </fieldset>
      {deleted !== null && (
        <TickField
          label={t('users.showDeleted')}
          checked={deleted}
          onChange={(shown) => {
            onDeleted(shown);
            onClose();
          }}
        />
      )}
    </Overlay>
  );
}
