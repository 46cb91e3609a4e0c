import { usePreferences } from '../../../lib/preferences.ts';
import { Icon } from '../../../ui/Icon.tsx';
import { Link } from '../../../ui/Link.tsx';

/** Links to the help about paper and live, spot and futures, and keys. */
export function ModeHelp() {
  const { t } = usePreferences();
  return (
    <Link href="/help-list-term/17900/" over="popover" className="field-tool">
      <Icon name="help" size={17} />
      {t('setup.modeHelp')}
    </Link>
  );
}
