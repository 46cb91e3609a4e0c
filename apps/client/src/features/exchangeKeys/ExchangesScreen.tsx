import '../../entities/bot/bot.css';
import './exchanges.css';
import type { botCalls } from '@heron/contract/bots/calls.ts';
import type { ExchangeKey } from '@heron/contract/bots/entities.ts';
import { ENVIRONMENT_TITLES, EXCHANGE_TEXTS, venueTitle } from '@heron/contract/locales/venueTexts.ts';
import { type Environment, environmentOf, exchangeOfVenue } from '@heron/engine/options/venues.ts';
import { useQuery } from '@tanstack/react-query';
import type { z } from 'zod';
import { EnvironmentBadge } from '../../entities/bot/badges.tsx';
import { ExchangePauseBanner } from '../../entities/bot/ExchangePauseBanner.tsx';
import { exchangesQuery, keysQuery } from '../../entities/bot/queries.ts';
import { VenueProblem } from '../../entities/bot/VenueProblem.tsx';
import { usePreferences } from '../../lib/preferences.ts';
import { Icon } from '../../ui/Icon.tsx';
import { Link } from '../../ui/Link.tsx';
import { Screen } from '../../ui/Screen.tsx';
import { Empty, Problem, Skeleton } from '../../ui/states.tsx';
import { ExchangeLogo } from './ExchangeLogo.tsx';
import { FeedPanel } from './FeedPanel.tsx';
import { HostsCard } from './HostsCard.tsx';
import { KeyGuide } from './KeyGuide.tsx';
import { KeyRow } from './KeyRow.tsx';

/** Refetch interval of the venues while the screen is open, ms. */
const REFETCH_MS = 5_000;

type VenueState = z.output<typeof botCalls.exchanges.response>['exchanges'][number];

/** Lists every venue with the state of its market data and the member's keys for it. */
export function ExchangesScreen() {
  const { t } = usePreferences();
  const venues = useQuery({ ...exchangesQuery(), refetchInterval: REFETCH_MS });
  const keys = useQuery(keysQuery());
  const error = venues.error ?? keys.error;
  const refetch = () => Promise.all([venues.refetch(), keys.refetch()]);
  const add = (
    <Link className="btn btn-primary" href="/exchange-add/">
      <Icon name="plus" size={18} />
      <span>{t('keys.add')}</span>
    </Link>
  );
  return (
    <Screen
      title={t('exchanges.title')}
      actions={keys.data && keys.data.keys.length > 0 && add}
      onRefresh={refetch}
      className="exchanges-screen"
    >
      {venues.data && keys.data ? (
        <div className="exchanges">
          {keys.data.keys.length === 0 && (
            <section className="card" aria-label={t('keys.emptyTitle')}>
              <Empty icon="key" title={t('keys.emptyTitle')} text={t('keys.emptyText')}>
                <KeyGuide of={null} />
                {add}
              </Empty>
            </section>
          )}
          {ORDER.map((environment) => (
            <VenueGroup
              key={environment}
              environment={environment}
              venues={venues.data.exchanges.filter(({ venue }) => environmentOf(venue) === environment)}
              keys={keys.data.keys}
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

/** The real market comes first on this screen, because most keys belong to it. */
const ORDER = ['real', 'demo', 'testnet'] as const satisfies readonly Environment[];

interface VenueGroupProps {
  readonly environment: Environment;
  readonly venues: readonly VenueState[];
  readonly keys: readonly ExchangeKey[];
}

/** Lists the venues of one environment, with a sentence about its prices and money. */
function VenueGroup({ environment, venues, keys }: VenueGroupProps) {
  const { t, language } = usePreferences();
  if (venues.length === 0) return null;
  return (
    <section className="venue-group" aria-label={ENVIRONMENT_TITLES[environment][language]}>
      <h2>{ENVIRONMENT_TITLES[environment][language]}</h2>
      <p>{t(`venues.${environment}Text`)}</p>
      {venues.map((state) => (
        <VenueCard key={state.venue} state={state} keys={keys.filter(({ venue }) => venue === state.venue)} />
      ))}
    </section>
  );
}

function VenueCard({ state, keys }: { state: VenueState; keys: readonly ExchangeKey[] }) {
  const { t, language } = usePreferences();
  const { venue, live, pause, feeds } = state;
  const title = venueTitle(venue)[language];
  const exchange = exchangeOfVenue(venue);
  if (exchange === undefined) return null;
  return (
    <section className="card exchange-card" aria-label={title} data-testid="exchange-card" data-venue={venue}>
      <header className="exchange-head">
        <ExchangeLogo exchange={exchange.name} />
        <h3>{EXCHANGE_TEXTS[exchange.name].title[language]}</h3>
        <EnvironmentBadge venue={venue} />
        {exchange.future && <span className="tag">{t('venues.futures')}</span>}
        <Health state={state} />
      </header>
      {pause ? (
        <ExchangePauseBanner pause={pause} holds={t(holdsKey(exchange.name))} />
      ) : (
        <VenueProblem state={state} />
      )}
      <p className="exchange-none">
        {EXCHANGE_TEXTS[exchange.name].description[language]}
        {environmentOf(venue) === 'real' && (
          <a className="text-link" href={exchange.link} target="_blank" rel="noopener noreferrer">
            {t('venues.website')}
          </a>
        )}
      </p>
      <FeedPanel feeds={feeds} />
      {keys.length > 0 ? (
        <ul className="rows">
          {keys.map((key) => (
            <KeyRow key={key.id} held={key} />
          ))}
        </ul>
      ) : (
        <p className="exchange-none">
          {live ? t('exchanges.noKey') : t('exchanges.paperOnly')}
          {live && (
            <Link className="text-link" href={`/exchange-add/${venue}/`}>
              {t('exchanges.addHere', { exchange: title })}
            </Link>
          )}
        </p>
      )}
    </section>
  );
}

/** Chooses the text about protection during a pause: MEXC has no stop orders. */
const holdsKey = (exchange: string) => (exchange === 'mexc' ? 'exchangePause.noStops' : 'exchangePause.stopsHold');

/** Shows what works at a venue. */
function Health({
  state: { reachable, trading, pause },
}: {
  state: Pick<VenueState, 'reachable' | 'trading' | 'pause'>;
}) {
  const { t } = usePreferences();
  const [tone, text] = pause
    ? (['problem', t(pause.banned ? 'exchanges.banned' : 'exchanges.paused')] as const)
    : reachable === null
      ? (['rest', t('exchanges.checking')] as const)
      : !reachable
        ? (['problem', t('exchanges.unreachable')] as const)
        : trading === false
          ? (['problem', t('exchanges.dataOnly')] as const)
          : (['live', t('exchanges.reachable')] as const);
  return (
    <span className={`status status-${tone}`} data-testid="exchange-health">
      <span className="status-dot" aria-hidden="true" />
      {text}
    </span>
  );
}
