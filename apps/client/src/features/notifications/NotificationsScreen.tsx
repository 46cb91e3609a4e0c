import '../../entities/bot/bot.css';
import './notifications.css';
import { botCalls } from '@heron/contract/bots/calls.ts';
import {
  type BotNotification,
  type NotificationKind,
  URGENT_NOTIFICATIONS,
} from '@heron/contract/bots/notifications.ts';
import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useRef } from 'react';
import { notificationText } from '../../entities/bot/alarm/notificationText.ts';
import { useUnseen } from '../../entities/bot/alarm/unseen.ts';
import { HostBadge, HostProblems, MarketBadges } from '../../entities/bot/badges.tsx';
import { botsQuery, notificationsQuery } from '../../entities/bot/queries.ts';
import { usePreferences } from '../../lib/preferences.ts';
import { ask } from '../../lib/server.ts';
import { Button } from '../../ui/Button.tsx';
import { explain } from '../../ui/explain.ts';
import { Moment } from '../../ui/Figures.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { Link } from '../../ui/Link.tsx';
import { PagedList } from '../../ui/PagedList.tsx';
import { Screen } from '../../ui/Screen.tsx';
import { Empty } from '../../ui/states.tsx';
import { toast } from '../../ui/toasts.tsx';

/** Kinds with good news. All other kinds are urgent or informative. */
const GOOD: readonly NotificationKind[] = ['reconnected', 'bot_finished'];
const toneOf = (kind: NotificationKind) =>
  URGENT_NOTIFICATIONS.includes(kind) ? 'urgent' : GOOD.includes(kind) ? 'good' : 'plain';

/**
 * Lists the notifications of the member's bots, newest first. Those on screen count as seen, but stay marked as new until
 * the screen is left.
 *
 * @param bot limits the list to the alerts of this bot
 */
export function NotificationsScreen({ bot }: { bot?: string }) {
  const { t } = usePreferences();
  const pages = useInfiniteQuery(notificationsQuery(bot));
  const { data: bots } = useQuery(botsQuery());
  const name = bots?.bots.find(({ id }) => id === bot)?.name;
  // The notifications of hosts that do not respond are unknown.
  const isPartial = bots?.ownAway || bots?.hosts?.some(({ state }) => state !== 'up');
  const notifications = useMemo(() => pages.data?.pages.flatMap((page) => page.notices), [pages.data]);
  const unseen = useUnseen();
  const seeAll = useMutation({
    mutationFn: () => ask(botCalls.markNotificationsSeen, { body: { all: true } }),
    onError: (problem) => toast(explain(problem, t), 'problem'),
  });
  useSeen(notifications ?? NONE);
  return (
    <Screen
      title={bot === undefined ? t('notifications.title') : t('alarms.title', { name: name ?? '' })}
      {...(bot !== undefined && { back: '/bots/' })}
      onRefresh={pages.refetch}
      actions={
        <>
          {bot !== undefined && (
            <Link className="btn btn-plain" href="/notify-index/">
              {t('alarms.all')}
            </Link>
          )}
          {bot === undefined && unseen > 0 && (
            <Button busy={seeAll.isPending} onClick={() => seeAll.mutate()}>
              {t('notifications.seeAll')}
            </Button>
          )}
          <Link className="btn btn-plain btn-icon" href="/notify-settings/" aria-label={t('notify.title')}>
            <Icon name="settings" size={20} />
          </Link>
        </>
      }
    >
      <div className="notifications-page">
        <HostProblems />
        <PagedList
          pages={pages}
          rows={notifications}
          row={(notification) => <Row key={notification.id} of={notification} />}
          empty={
            isPartial ? null : bot === undefined ? (
              <Empty icon="notifications" title={t('notifications.emptyTitle')} text={t('notifications.emptyText')} />
            ) : (
              <Empty icon="notifications" title={t('alarms.emptyTitle')} text={t('alarms.emptyText')} />
            )
          }
          rowHeight={72}
          label={t('notifications.list')}
          testId="notifications"
        />
      </div>
    </Screen>
  );
}

function Row({ of: notification }: { of: BotNotification }) {
  const preferences = usePreferences();
  const { t } = preferences;
  const { bot, name, kind, pair, seen } = notification;
  return (
    <li className="row notification-row" data-kind={kind} data-seen={seen}>
      <div className="row-main">
        <span className={`tag notification-${toneOf(kind)}`}>{t(`notificationKind.${kind}`)}</span>
        <Link className="notification-bot" href={`/bot/${bot}/`}>
          {name}
        </Link>
        <HostBadge bot={bot} />
        <MarketBadges {...notification} />
        {!seen && <span className="tag notification-new">{t('notifications.new')}</span>}
        <Moment className="num row-note row-end" at={notification.at} />
      </div>
      <p>
        {pair && <strong>{pair} </strong>}
        {notificationText(notification, preferences)}
      </p>
    </li>
  );
}

const NONE: readonly BotNotification[] = [];

/**
 * Marks notifications as seen once they are visible, one time each. Failed ones are sent again when the page becomes visible
 * again.
 */
function useSeen(notifications: readonly BotNotification[]): void {
  const sent = useRef(new Set<string>());
  const failed = useRef(new Set<string>());
  const { mutate } = useMutation({
    mutationFn: (ids: string[]) => ask(botCalls.markNotificationsSeen, { body: { ids } }),
    onError: (_, ids) => {
      for (const id of ids) failed.current.add(id);
    },
  });
  useEffect(() => {
    const see = () => {
      if (document.visibilityState !== 'visible') return;
      const ids = notifications.filter(({ id, seen }) => !seen && !sent.current.has(id)).map(({ id }) => id);
      if (ids.length === 0) return;
      for (const id of ids) sent.current.add(id);
      for (let from = 0; from < ids.length; from += MAX_SEEN_AT_ONCE) mutate(ids.slice(from, from + MAX_SEEN_AT_ONCE));
    };
    const retryFailed = () => {
      for (const id of failed.current) sent.current.delete(id);
      failed.current.clear();
      see();
    };
    see();
    document.addEventListener('visibilitychange', retryFailed);
    return () => document.removeEventListener('visibilitychange', retryFailed);
  }, [notifications, mutate]);
}

/** Max number of ids per request in the contract. */
const MAX_SEEN_AT_ONCE = 200;
