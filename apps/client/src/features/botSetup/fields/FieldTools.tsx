import { usePreferences } from '../../../lib/preferences.ts';
import { HelpButton } from '../../../ui/HelpButton.tsx';
import { Icon } from '../../../ui/Icon.tsx';

interface FieldToolsProps {
  readonly title: string;
  readonly help?: string | undefined;
  /** The default in words, while the field differs from it. */
  readonly standard: string | null;
  readonly onReset: () => void;
}

/** Beside the name of an option: what it does, and the way back to its default, which marks that it differs. */
export function FieldTools({ title, help, standard, onReset }: FieldToolsProps) {
  const { t } = usePreferences();
  if (help === undefined && standard === null) return null;
  return (
    <>
      {help !== undefined && <HelpButton title={title} text={help} />}
      {standard !== null && (
        <button
          type="button"
          className="field-tool field-tool-reset"
          aria-label={t('setup.reset', { name: title, value: standard })}
          onClick={onReset}
        >
          <Icon name="undo" size={14} />
          {t('setup.default', { value: standard })}
        </button>
      )}
    </>
  );
}
