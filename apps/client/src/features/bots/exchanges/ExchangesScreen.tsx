import '../bots.css';
import './exchanges.css';
import type { botCalls } from '@heron/contract/bots/calls.ts';
import type { ExchangeKey } from '@heron/contract/bots/entities.ts';
import { useQuery } from '@tanstack/react-query';
import type { z } from 'zod';
import { useReader } from '../../../lib/reader.ts';
import { Icon } from '../../../ui/Icon.tsx';
import { Link } from '../../../ui/Link.tsx';
import { Screen } from '../../../ui/Screen.tsx';
import { Empty, Problem, Skeleton } from '../../../ui/states.tsx';
import { exchangesQuery, keysQuery } from '../queries.ts';
import { FeedPanel } from './FeedPanel.tsx';
import { HostsCard } from './HostsCard.tsx';
import { KeyGuide } from './KeyGuide.tsx';
import { KeyRow } from './KeyRow.tsx';

/** How market data come in is asked for while somebody looks. */
const LOOK_MS = 5_000;

type Exchange = z.output<typeof botCalls.exchanges.response>['exchanges'][number];

/** Every exchange with the state of its market data and the person's keys for it. */
export function ExchangesScreen() {
  const { t } = useReader();
  const venues = useQuery({ ...exchangesQuery(), refetchInterval: LOOK_MS });
  const kept = useQuery(keysQuery());
  const error = venues.error ?? kept.error;
  const refetch = () => Promise.all([venues.refetch(), kept.refetch()]);
  const add = (
    <Link className="btn btn-primary" href="/exchange-add/">
      <Icon name="plus" size={18} />
      <span>{t('keys.add')}</span>
    </Link>
  );
  return (
    <Screen
      title={t('exchanges.title')}
      actions={kept.data && kept.data.keys.length > 0 && add}
      onRefresh={refetch}
      className="exchanges-screen"
    >
      {venues.data && kept.data ? (
        <div className="exchanges">
          {kept.data.keys.length === 0 && (
            <section className="card" aria-label={t('keys.emptyTitle')}>
              <Empty icon="key" title={t('keys.emptyTitle')} text={t('keys.emptyText')}>
                <KeyGuide />
                {add}
              </Empty>
            </section>
          )}
          {venues.data.exchanges.map((exchange) => (
            <ExchangeCard
              key={exchange.name}
              exchange={exchange}
              keys={kept.data.keys.filter((key) => key.exchange === exchange.name)}
            />
          ))}
          <HostsCard />
        </div>
      ) : error ? (
        <Problem error={error} onRetry={() => void refetch()} />
      ) : (
        <Skeleton rows={2} height={150} />
      )}
    </Screen>
  );
}

function ExchangeCard({ exchange, keys }: { exchange: Exchange; keys: readonly ExchangeKey[] }) {
  const { t, language } = useReader();
  const title = exchange.title[language];
  return (
    <section className="card exchange-card" aria-label={title} data-testid="exchange-card">
      <header className="exchange-head">
        <h2>{title}</h2>
        {exchange.demo && <span className="tag tag-demo">{t('market.demo')}</span>}
        <Health reachable={exchange.reachable} />
      </header>
      <FeedPanel feeds={exchange.feeds} />
      {keys.length > 0 ? (
        <ul className="rows">
          {keys.map((key) => (
            <KeyRow key={key.id} held={key} />
          ))}
        </ul>
      ) : (
        <p className="exchange-none">
          {exchange.live ? t('exchanges.noKey') : t('exchanges.paperOnly')}
          {exchange.live && (
            <Link className="text-link" href={`/exchange-add/${exchange.name}/`}>
              {t('exchanges.addHere', { exchange: title })}
            </Link>
          )}
        </p>
      )}
    </section>
  );
}

/** Whether its market data come in; nobody knows until a bot needs them. */
function Health({ reachable }: { reachable: boolean | null }) {
  const { t } = useReader();
  const [tone, text] =
    reachable === null
      ? (['rest', t('exchanges.idle')] as const)
      : reachable
        ? (['live', t('exchanges.reachable')] as const)
        : (['problem', t('exchanges.unreachable')] as const);
  return (
    <span className={`status status-${tone}`} data-testid="exchange-health">
      <span className="status-dot" aria-hidden="true" />
      {text}
    </span>
  );
}
