import Page from 'framework7-react/components/page.js';
import { usePreferences } from '../lib/preferences.ts';
import { Button } from '../ui/Button.tsx';
import { Link } from '../ui/Link.tsx';
import { Screen } from '../ui/Screen.tsx';
import { Empty } from '../ui/states.tsx';
import { HOME } from './guards.ts';

/** Holds the view until the first address is known. */
export function Waiting() {
  return <Page pageContent={false} className="screen" />;
}

/** A screen failed. Loading the page anew is the one thing that helps after an update or a broken chunk. */
export function Crash({ error }: { error: unknown }) {
  const { t } = usePreferences();
  return (
    <Screen title={t('crash.title')} back={HOME}>
      <Empty icon="alert" title={t('crash.title')} text={t('crash.text')}>
        <Button kind="primary" icon="refresh" onClick={() => location.reload()}>
          {t('app.reload')}
        </Button>
        <pre className="crash-detail">{String(error)}</pre>
      </Empty>
    </Screen>
  );
}

/** No screen has this address. */
export function Missing() {
  const { t } = usePreferences();
  return (
    <Screen title={t('missing.title')} back={HOME}>
      <Empty icon="search" title={t('missing.title')} text={t('missing.text')}>
        <Link className="btn btn-primary" href={HOME} root>
          {t('missing.home')}
        </Link>
      </Empty>
    </Screen>
  );
}
