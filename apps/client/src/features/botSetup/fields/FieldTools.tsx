import { usePreferences } from '../../../lib/preferences.ts';
import { HelpButton } from '../../../ui/HelpButton.tsx';
import { Icon } from '../../../ui/Icon.tsx';

interface FieldToolsProps {
  readonly title: string;
  readonly help?: string | undefined;
  /** The default as text, while the field differs from it; null otherwise. */
  readonly standard: string | null;
  readonly onReset: () => void;
}

/** Shows the help of an option, and a reset button while the option differs from its default. */
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
