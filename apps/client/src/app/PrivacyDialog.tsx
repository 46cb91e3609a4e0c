import { useState } from 'react';
import { currentPlatform } from '../lib/platform.ts';
import { usePreferences } from '../lib/preferences.ts';
import { agreeToPrivacy, closeApp } from '../lib/privacy.ts';
import { legal } from '../locales/legal.ts';
import { Button } from '../ui/Button.tsx';
import { Overlay } from '../ui/Overlay.tsx';

/**
 * Requests consent at the first run on a phone. A refusal closes the app on Android. iOS apps cannot close themselves,
 * so the dialog explains this and asks again.
 */
export function PrivacyDialog({ onAgreed }: { onAgreed: () => void }) {
  const { t, display } = usePreferences();
  const [refused, setRefused] = useState(false);

  function agree() {
    agreeToPrivacy();
    onAgreed();
  }

  function refuse() {
    if (currentPlatform() === 'android') closeApp();
    setRefused(true);
  }

  if (refused) {
    return (
      <Overlay alert title={t('privacy.refusedTitle')} onClose={() => setRefused(false)}>
        <p className="overlay-text">{t('privacy.refusedText')}</p>
        <div className="overlay-actions">
          <Button kind="primary" onClick={() => setRefused(false)}>
            {t('privacy.again')}
          </Button>
        </div>
      </Overlay>
    );
  }
  return (
    <Overlay alert title={t('privacy.title')} onClose={refuse}>
      <p className="overlay-text">{t('privacy.text')}</p>
      {(['privacy', 'terms'] as const).map((which) => (
        <details key={which} className="legal-details">
          <summary>{t(`legal.${which}`)}</summary>
          {legal[which][display.language].sections.map(({ title, text }) => (
            <p key={title}>
              <strong>{title}</strong>
              <br />
              {text}
            </p>
          ))}
        </details>
      ))}
      <div className="overlay-actions">
        <Button onClick={refuse}>{t('privacy.refuse')}</Button>
        <Button kind="primary" onClick={agree}>
          {t('privacy.agree')}
        </Button>
      </div>
    </Overlay>
  );
}
