import { useReader } from '../../../lib/reader.ts';

/** What to do at the exchange before a key is entered here. @param future of a futures exchange */
export function KeyGuide({ future = false }: { future?: boolean }) {
  const { t } = useReader();
  return (
    <ol className="key-guide">
      <li>{t('keys.guideMake')}</li>
      <li>{t(future ? 'keys.guideAllowFutures' : 'keys.guideAllowSpot')}</li>
      <li>{t('keys.guideForbid')}</li>
      <li>{t('keys.guideAddress')}</li>
    </ol>
  );
}
