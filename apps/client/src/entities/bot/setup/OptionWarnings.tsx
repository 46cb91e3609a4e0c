import type { DescribedWarning } from '@heron/contract/locales/optionWarningText.ts';
import { usePreferences } from '../../../lib/preferences.ts';

/**
 * Warns of options that are allowed but probably not intended. Nothing is blocked.
 *
 * @see docs/options.md#accepted-with-a-warning
 */
export function OptionWarnings({ warnings }: { warnings: readonly Pick<DescribedWarning, 'message'>[] }) {
  const { t, language } = usePreferences();
  if (warnings.length === 0) return null;
  return (
    <div className="callout callout-warning" role="status">
      <strong>{t('add.warnings')}</strong>
      <ul>
        {warnings.map(({ message }) => (
          <li key={message.en}>{message[language]}</li>
        ))}
      </ul>
    </div>
  );
}
