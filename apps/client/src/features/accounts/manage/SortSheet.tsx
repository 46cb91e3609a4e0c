import { useReader } from '../../../lib/reader.ts';
import { TickField } from '../../../ui/fields.tsx';
import { Overlay } from '../../../ui/Overlay.tsx';

const SORTS = ['reg_time', 'login', 'balance', 'level'] as const;

export type Sort = (typeof SORTS)[number];

interface SortSheetProps {
  readonly sort: Sort;
  /** Whether the deleted are shown; null for who may not see them. */
  readonly deleted: boolean | null;
  readonly onSort: (sort: Sort) => void;
  readonly onDeleted: (deleted: boolean) => void;
  readonly onClose: () => void;
}

/** In which order, and who. @see accounts.md 2, "A sort popover (registration, login, balance, level)" */
export function SortSheet({ sort, deleted, onSort, onDeleted, onClose }: SortSheetProps) {
  const { t } = useReader();
  return (
    <Overlay kind="sheet" title={t('users.sort')} onClose={onClose}>
      <fieldset className="options">
        <legend className="hidden">{t('users.sort')}</legend>
        {SORTS.map((value) => (
          <label key={value} className="option">
            <input
              type="radio"
              name="sort"
              checked={value === sort}
              onChange={() => {
                onSort(value);
                onClose();
              }}
            />
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
