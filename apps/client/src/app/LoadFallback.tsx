import type { ComponentType } from 'react';
import { usePreferences } from '../lib/preferences.ts';
import { Button } from '../ui/Button.tsx';
import { Link } from '../ui/Link.tsx';
import { Screen } from '../ui/Screen.tsx';
import { Empty } from '../ui/states.tsx';
import { HOME } from './guards.ts';

/** Shows an empty page until the first screen is loaded. */
export function Waiting() {
  return <div className="screen" />;
}

/** Shows that a screen failed. A reload helps after an update or a failed chunk. */
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

/** Returns a component that shows the crash screen for one error. */
export function crashScreen(error: unknown): ComponentType {
  return function Crashed() {
    return <Crash error={error} />;
  };
}

/** Shows that no screen has this address. */
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
