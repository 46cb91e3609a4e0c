import type { BotDetail, ExchangePause } from '@heron/contract/bots/entities.ts';
import { usePreferences } from '../../lib/preferences.ts';

/** Shows, in local time, until when an exchange accepts no requests, and whether stop orders stay in force. */
export function ExchangePauseBanner({ pause, holds }: { pause: ExchangePause; holds: string }) {
  const { t, format } = usePreferences();
  const until = format.dateTime(pause.until);
  return (
    <section
      className="callout callout-warning exchange-pause"
      role="status"
      data-testid="exchange-pause"
      data-until={pause.until}
    >
      <p>
        <strong>{t(pause.banned ? 'exchangePause.banned' : 'exchangePause.asked', { until })}</strong>
      </p>
      <p>{t('exchangePause.text')}</p>
      {holds !== '' && <p>{holds}</p>}
    </section>
  );
}

/** Shows the pause of an exchange for one bot. It names the positions without a stop order at the exchange. */
export function BotPauseBanner({ bot, pause }: { bot: BotDetail; pause: ExchangePause }) {
  const { t, format } = usePreferences();
  const held = bot.mode === 'live' ? bot.pairViews.filter(({ position }) => position !== null) : [];
  const bare = held.filter(({ position }) => position?.stop?.resting !== true);
  const holds = [
    held.length > bare.length ? t('exchangePause.stopsHold') : '',
    bare.length > 0 ? t('exchangePause.noStop', { pairs: format.list(bare.map(({ pair }) => pair)) }) : '',
  ];
  return <ExchangePauseBanner pause={pause} holds={holds.filter((text) => text !== '').join(' ')} />;
}
