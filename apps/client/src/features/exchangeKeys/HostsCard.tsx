import { hostMethods, type PairedHost } from '@heron/contract/bots/pairedHosts.ts';
import { venueTitle } from '@heron/contract/locales/venueTexts.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { botsQuery, hostsQuery, keysQuery } from '../../entities/bot/queries.ts';
import { usePreferences } from '../../lib/preferences.ts';
import { proven } from '../../lib/proof.ts';
import { send } from '../../lib/server.ts';
import { ActButton } from '../../ui/ActButton.tsx';
import { explain } from '../../ui/explain.ts';
import { Icon } from '../../ui/Icon.tsx';
import { Link } from '../../ui/Link.tsx';
import { Problem, Skeleton } from '../../ui/states.tsx';
import { toastProblem } from '../../ui/toastProblem.ts';
import { confirm, toast } from '../../ui/toasts.tsx';

const END_COMMAND = 'npx heron pairing end';
const KEYS_COMMAND = 'npx heron keys add';

/** Refetch interval of the hosts while the screen is open, ms. */
const REFETCH_MS = 10_000;

/** Lists the paired bot hosts. */
export function HostsCard() {
  const { t } = usePreferences();
  const { data, error, refetch } = useQuery({ ...hostsQuery(), refetchInterval: REFETCH_MS });
  return (
    <section className="card exchange-card" aria-label={t('hosts.title')} data-testid="hosts">
      <header className="exchange-head">
        <h2>{t('hosts.title')}</h2>
        <Link className="btn btn-quiet" href="/host-add/">
          <Icon name="plus" size={18} />
          <span>{t('hosts.add')}</span>
        </Link>
      </header>
      {data ? (
        data.hosts.length === 0 ? (
          <p className="exchange-none">{t('hosts.text')}</p>
        ) : (
          <ul className="rows">
            {data.hosts.map((host) => (
              <HostRow key={host.id} host={host} />
            ))}
          </ul>
        )
      ) : error ? (
        <Problem error={error} onRetry={() => void refetch()} />
      ) : (
        <Skeleton rows={1} height={60} />
      )}
    </section>
  );
}

const TONES = { up: 'live', away: 'problem', refused: 'problem', differs: 'problem', disabled: 'problem' } as const;

function HostRow({ host }: { host: PairedHost }) {
  const { t, format } = usePreferences();
  const queries = useQueryClient();
  const remove = useMutation({
    mutationFn: () => send(hostMethods.removeHost, { id: host.id }),
    onSuccess: ({ notified }) =>
      notified
        ? toast(t('hosts.removed', { host: host.name }), 'done')
        : toast(t('hosts.removedUntold', { host: host.name, command: END_COMMAND }), 'problem'),
    onSettled: () => {
      for (const { queryKey } of [hostsQuery(), botsQuery()]) void queries.invalidateQueries({ queryKey });
    },
  });

  const enable = useMutation({
    mutationFn: () => proven(() => send(hostMethods.enableHost, { id: host.id })),
    onError: (error) => toastProblem(error, t),
    onSettled: () => {
      for (const { queryKey } of [hostsQuery(), botsQuery()]) void queries.invalidateQueries({ queryKey });
    },
  });

  async function askToRemove() {
    const agreed = await confirm({
      title: t('hosts.removeTitle', { host: host.name }),
      text: t('hosts.removeText'),
      confirm: t('hosts.remove'),
      danger: true,
    });
    if (agreed) remove.mutate();
  }

  return (
    <li className="row key-row" data-testid="host-row" data-state={host.state}>
      <div className="key-head">
        <p className="key-name">
          <strong>{host.name}</strong>{' '}
          <span className={`status status-${TONES[host.state]}`}>
            <span className="status-dot" aria-hidden="true" />
            {t(`hosts.${host.state}`)}
          </span>
        </p>
        <span className="key-actions">
          {host.state === 'refused' && (
            <Link className="btn btn-quiet" href="/host-add/">
              <Icon name="refresh" size={18} />
              <span>{t('hosts.pairAgain')}</span>
            </Link>
          )}
          {host.state === 'disabled' && (
            <ActButton icon="play" busy={enable.isPending} onClick={() => enable.mutate()}>
              {t('hosts.enable')}
            </ActButton>
          )}
          <ActButton icon="trash" busy={remove.isPending} onClick={() => void askToRemove()}>
            {t('hosts.remove')}
          </ActButton>
        </span>
      </div>
      <p className="row-note">
        {t('hosts.at', {
          address: host.address,
          port: String(host.port),
          time: format.dateTime(host.pairedAt * 1_000),
          version: host.version,
        })}
      </p>
      {host.state === 'up' && <HostKeys host={host.id} />}
      {host.state === 'disabled' && <p className="callout callout-warning">{t('hosts.disabledText')}</p>}
      {remove.error && (
        <p className="callout callout-problem" role="alert">
          {explain(remove.error, t)}
        </p>
      )}
    </li>
  );
}

/** Lists the exchange keys on a paired bot host, without their secrets. */
function HostKeys({ host }: { host: string }) {
  const { t, language } = usePreferences();
  const { data: keys } = useQuery(keysQuery(host));
  if (keys === undefined) return null;
  if (keys.keys.length === 0) return <p className="row-note">{t('hosts.noKeys', { command: KEYS_COMMAND })}</p>;
  return (
    <p className="row-note">
      {t('hosts.keys')}:{' '}
      {keys.keys
        .map(({ venue, label, lastFour }) => `${label} ····${lastFour} (${venueTitle(venue)[language]})`)
        .join(t('journal.and'))}
    </p>
  );
}
