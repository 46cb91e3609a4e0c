import './settings.css';
import { ownBuild } from '../../lib/build.ts';
import { usePreferences } from '../../lib/preferences.ts';
import { Logo } from '../../ui/Icon.tsx';
import { Link } from '../../ui/Link.tsx';
import { Screen } from '../../ui/Screen.tsx';

/** Describes Heron, its version and licence, the risk of trading, and the chart library. */
export function AboutScreen() {
  const { t } = usePreferences();
  const build = ownBuild();
  const version: string = import.meta.env.VITE_HERON_VERSION;
  return (
    <Screen title={t('about.title')} back="/setting-index/">
      <div className="settings about">
        <Logo size={72} />
        <p className="account-name">{t('app.name')}</p>
        <p>{t('about.text')}</p>
        <p className="num" data-testid="version">
          {t('about.version', { version: build === '' ? version : `${version} (${build})` })}
        </p>
        <p>
          <Link href="/help-list-term/17900/">{t('help.title')}</Link>
          {' · '}
          <a href="/docs/">{t('about.api')}</a>
        </p>
        <p>{t('about.licence')}</p>
        <p>{t('about.risk')}</p>
        <p>
          {t('about.charts')}{' '}
          <a href="https://www.tradingview.com/" target="_blank" rel="noopener noreferrer">
            TradingView Lightweight Charts™
          </a>
        </p>
      </div>
    </Screen>
  );
}
