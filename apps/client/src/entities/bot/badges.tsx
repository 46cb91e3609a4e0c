import type { BotDetail, BotStatus, BotSummary } from '@heron/contract/bots/entities.ts';
import { hostOf, type PairedState } from '@heron/contract/bots/pairedHosts.ts';
import { ENVIRONMENT_TITLES } from '@heron/contract/locales/venueTexts.ts';
import { environmentOf } from '@heron/engine/options/venues.ts';
import { useQuery } from '@tanstack/react-query';
import { usePreferences } from '../../lib/preferences.ts';
import { isFuture } from './futures.ts';
import { moneyAt } from './moneyAt.ts';
import { botsQuery } from './queries.ts';
import { statusLabel } from './statusLabel.ts';

/** Distinguishes paper from live trading and the demo market from real markets. It is shown beside the name of every bot. */
export function MarketBadges({ venue, mode }: Pick<BotSummary, 'venue' | 'mode'>) {
  const { t } = usePreferences();
  const money = moneyAt({ venue, mode });
  return (
    <span className="badges">
      {money !== 'liveReal' && <EnvironmentBadge venue={venue} />}
      <span className={`tag tag-${money}`}>{t(mode === 'paper' ? 'market.paper' : `money.${money}`)}</span>
    </span>
  );
}

/** Names the environment of a venue. */
export function EnvironmentBadge({ venue }: Pick<BotSummary, 'venue'>) {
  const { language } = usePreferences();
  const environment = environmentOf(venue);
  return <span className={`tag tag-${environment}`}>{ENVIRONMENT_TITLES[environment][language]}</span>;
}

/** Shows leverage and margin mode of a futures bot beside its name; nothing for spot. */
export function FuturesBadge({ bot }: { bot: BotDetail }) {
  const { t } = usePreferences();
  if (!isFuture(bot)) return null;
  const { leverage, margin_mode: mode } = bot.options;
  const terms = t(`futures.${mode === 'isolated' ? 'isolated' : 'cross'}`, { leverage: Number(leverage) });
  return (
    <span className="tag tag-futures" data-testid="futures-badge">
      {t('futures.badge', { terms })}
    </span>
  );
}

const TONES: Record<BotStatus, 'rest' | 'busy' | 'live' | 'problem'> = {
  created: 'rest',
  preparing: 'busy',
  ready: 'busy',
  working: 'live',
  stopping: 'busy',
  finished: 'rest',
  error: 'problem',
  venue_disabled: 'problem',
};

interface StatusBadgeProps {
  readonly bot: Pick<BotSummary, 'status' | 'draining' | 'closing'>;
  /** The list of bots stays rendered below the screen of a bot, so the two need different ids. */
  readonly testId?: string;
}

export function StatusBadge({ bot: { status, draining, closing }, testId = 'bot-status' }: StatusBadgeProps) {
  const preferences = usePreferences();
  return (
    <span className={`status status-${TONES[status]}`} data-testid={testId} data-status={status}>
      <span className="status-dot" aria-hidden="true" />
      {draining ? preferences.t(closing ? 'bot.closing' : 'bot.draining') : statusLabel(status, preferences)}
    </span>
  );
}

/** Returns the current state of the paired bot host that runs a bot; null for this Heron's own host, or while unknown. */
export function useHost(bot: string): PairedState | null {
  const { data } = useQuery(botsQuery());
  const host = hostOf(bot);
  return data?.hosts?.find(({ id }) => id === host) ?? null;
}

/** Names the machine of a bot that runs on a paired bot host. */
export function HostBadge({ bot }: { bot: string }) {
  const { t } = usePreferences();
  const host = useHost(bot);
  if (host === null) return null;
  return (
    <span className="tag tag-host" title={t('hosts.runsOn', { host: host.name })} data-testid="host-badge">
      {host.name}
    </span>
  );
}

/**
 * Lists the bot hosts that do not respond, beside data of all bots, because those data are then incomplete.
 *
 * @param but a paired bot host that is reported elsewhere on the screen
 */
export function HostProblems({ but = null }: { but?: string | null }) {
  const { t } = usePreferences();
  const { data } = useQuery(botsQuery());
  return (
    <>
      {data?.ownAway && (
        <p className="callout callout-warning" role="status">
          {t('hostTrouble.own')}
        </p>
      )}
      {data?.hosts
        ?.filter(({ id }) => id !== but)
        .map((host) => (
          <HostProblem key={host.id} host={host} />
        ))}
    </>
  );
}

/** Shows that a paired bot host does not respond, and the consequence for its bots. */
export function HostProblem({ host }: { host: PairedState }) {
  const { t } = usePreferences();
  if (host.state === 'up') return null;
  return (
    <p className="callout callout-warning" role="status" data-testid="host-problem">
      {t(`hostTrouble.${host.state}`, { host: host.name })}
    </p>
  );
}
