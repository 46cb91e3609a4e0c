import type { FeedHealth } from '@heron/contract/bots/entities.ts';
import { usePreferences } from '../../lib/preferences.ts';

/** Shows the state of an exchange's market data connection for each kind of bots that uses it. */
export function FeedPanel({ feeds }: { feeds: readonly FeedHealth[] }) {
  const { t, format } = usePreferences();
  return feeds.map(({ of, pairs, quietPairs, connectedSince, heardAt, interruptions, interruptedAt }) => (
    <dl key={of} className="facts feed" data-testid="feed">
      <div>
        <dt>{t(`feeds.${of}`)}</dt>
        <dd>{pairs === 0 ? t('feeds.none') : t('feeds.pairs', { count: pairs })}</dd>
      </div>
      {pairs > 0 && (
        <div>
          <dt>{t('feeds.connection')}</dt>
          <dd className={connectedSince === null ? 'feed-cut' : undefined}>
            {connectedSince === null ? t('feeds.cut') : t('feeds.since', { time: format.dateTime(connectedSince) })}
          </dd>
        </div>
      )}
      {pairs > 0 && heardAt !== null && (
        <div>
          <dt>{t('feeds.lastMessage')}</dt>
          <dd className="num">{format.dateTime(heardAt)}</dd>
        </div>
      )}
      {quietPairs > 0 && (
        <div>
          <dt>{t('feeds.quiet')}</dt>
          <dd>{t('feeds.quietPairs', { count: quietPairs })}</dd>
        </div>
      )}
      {interruptedAt !== null && (
        <div>
          <dt>{t('feeds.interruptions')}</dt>
          <dd>{t('feeds.interrupted', { count: interruptions, time: format.dateTime(interruptedAt) })}</dd>
        </div>
      )}
    </dl>
  ));
}
