import type { Apply } from '@heron/engine/options/item.ts';
import { label } from '../../../entities/bot/labels.ts';
import { usePreferences } from '../../../lib/preferences.ts';
import { Button } from '../../../ui/Button.tsx';

interface ChangedNoteProps {
  readonly title: string;
  /** The value in force, as text. */
  readonly was: string;
  readonly acts: Apply;
  readonly onUndo: () => void;
}

/**
 * Shows the value in force below a field that differs from it, and the time when the change takes effect.
 *
 * @see docs/bot-lifecycle.md#when-option-changes-act
 */
export function ChangedNote({ title, was, acts, onUndo }: ChangedNoteProps) {
  const { t } = usePreferences();
  return (
    <div className="changed-note" data-acts={acts}>
      <p>{t('edit.was', { value: was, acts: label('applies', acts, { t }) })}</p>
      <Button kind="quiet" aria-label={t('edit.undoOne', { name: title })} onClick={onUndo}>
        {t('edit.undo')}
      </Button>
    </div>
  );
}
