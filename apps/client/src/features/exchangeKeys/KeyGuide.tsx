import type { ExchangeEntry } from '@heron/engine/options/exchanges.ts';
import { usePreferences } from '../../lib/preferences.ts';

/** Commands that create an Ed25519 key pair and print the public key, which the exchange needs. */
const MAKE_PAIR = ['openssl genpkey -algorithm ed25519 -out key.pem', 'openssl pkey -in key.pem -pubout'];

/** Lists the steps at the exchange before a key is entered here. @param of null while no exchange is chosen */
export function KeyGuide({ of }: { of: ExchangeEntry | null }) {
  const { t } = usePreferences();
  return (
    <ol className="key-guide">
      <li>{t('keys.guideMake')}</li>
      {of === null && <li>{t('keys.guideKinds')}</li>}
      {of?.ed25519 && (
        <li>
          {t('keys.guideEd25519')}
          {MAKE_PAIR.map((command) => (
            <code key={command}>{command}</code>
          ))}
          {t('keys.guideEd25519Secret')}
        </li>
      )}
      {of !== null && <li>{t(of.ed25519 ? 'keys.guideHmac' : 'keys.guideHmacOnly')}</li>}
      <li>{t(of?.future ? 'keys.guideAllowFutures' : 'keys.guideAllowSpot')}</li>
      <li>{t('keys.guideForbid')}</li>
      <li>{t('keys.guideAddress')}</li>
    </ol>
  );
}
