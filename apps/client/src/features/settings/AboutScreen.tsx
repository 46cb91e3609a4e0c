import './settings.css';
import { usePreferences } from '../../lib/preferences.ts';
import { Logo } from '../../ui/Icon.tsx';
import { Screen } from '../../ui/Screen.tsx';

/** Describes Heron, the risk of trading, and the chart library. */
export function AboutScreen() {
  const { t } = usePreferences();
  return (
    <Screen title={t('about.title')} back="/setting-index/">
      <div className="settings about">
        <Logo size={72} />
        <p className="account-name">{t('app.name')}</p>
        <p>{t('about.text')}</p>
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
