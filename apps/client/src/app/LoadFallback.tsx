import type { ComponentType } from 'react';
import { usePreferences } from '../lib/preferences.ts';
import { Button } from '../ui/Button.tsx';
import { Link } from '../ui/Link.tsx';
import { Screen } from '../ui/Screen.tsx';
import { Empty } from '../ui/states.tsx';
import { HOME } from './guards.ts';

/** An empty page until the first screen is there. */
export function Waiting() {
  return <div className="screen" />;
}

/** A screen failed. Reloading helps after an update or a broken chunk. */
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

/** A crash screen for one error. */
export function crashScreen(error: unknown): ComponentType {
  return function Crashed() {
    return <Crash error={error} />;
  };
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
