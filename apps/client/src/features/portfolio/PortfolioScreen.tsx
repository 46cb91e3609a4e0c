import './portfolio.css';
import '../../entities/bot/bot.css';
import type { botCalls } from '@heron/contract/bots/calls.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { z } from 'zod';
import { HostProblem } from '../../entities/bot/badges.tsx';
import { usePreferences } from '../../lib/preferences.ts';
import { Choice } from '../../ui/fields/Choice.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { Link } from '../../ui/Link.tsx';
import { Screen } from '../../ui/Screen.tsx';
import { Empty, Problem, Skeleton } from '../../ui/states.tsx';
import { PortfolioSection } from './PortfolioSection.tsx';
import { portfolioQuery } from './portfolioQuery.ts';

type Answer = z.output<typeof botCalls.portfolio.response>;
type Mode = Answer['groups'][number]['mode'];

/** Shows money, risk and results of all bots of the member, paper and live apart. */
export function PortfolioScreen() {
  const { t } = usePreferences();
  const { data, error, refetch } = useQuery(portfolioQuery());
  return (
    <Screen title={t('portfolio.title')} onRefresh={refetch}>
      {data ? (
        <Portfolio answer={data} />
      ) : error ? (
        <Problem error={error} onRetry={() => void refetch()} />
      ) : (
        <Skeleton rows={4} height={148} />
      )}
    </Screen>
  );
}

function Portfolio({ answer }: { readonly answer: Answer }) {
  const { t } = usePreferences();
  const [chosen, choose] = useState<Mode | null>(null);
  const { groups, uncounted } = answer;
  const mode = chosen ?? (groups.some((group) => group.mode === 'live') ? 'live' : 'paper');
  const shown = groups.filter((group) => group.mode === mode);
  const add = (
    <Link className="btn btn-primary" href="/bot-add/">
      <Icon name="plus" size={18} />
      <span>{t('bots.new')}</span>
    </Link>
  );
  return (
    <div className="portfolio">
      <Absent answer={answer} />
      {groups.length === 0 && uncounted.length === 0 ? (
        <Empty icon="portfolio" title={t('portfolio.emptyTitle')} text={t('portfolio.emptyText')}>
          {add}
        </Empty>
      ) : (
        <>
          <div className="portfolio-mode">
            <Choice
              label={t('portfolio.mode')}
              labelHidden
              value={mode}
              choices={[
                { value: 'live', title: t('market.live') },
                { value: 'paper', title: t('market.paper') },
              ]}
              onChange={choose}
            />
          </div>
          {shown.map((group) => (
            <PortfolioSection key={`${group.mode} ${group.environment} ${group.currency}`} group={group} />
          ))}
          {shown.length === 0 ? (
            <Empty
              icon="portfolio"
              title={t(mode === 'live' ? 'portfolio.noneLive' : 'portfolio.nonePaper')}
              text={t('portfolio.noneText')}
            >
              {add}
            </Empty>
          ) : (
            <p className="portfolio-note">{t('portfolio.note')}</p>
          )}
        </>
      )}
    </div>
  );
}

/** Names the bots and hosts that are not counted. */
function Absent({ answer: { hosts = [], ownAway, uncounted } }: { readonly answer: Answer }) {
  const { t, format } = usePreferences();
  const away = [...(ownAway ? [t('hosts.ownHost')] : []), ...hosts.filter(isAway).map(({ name }) => name)];
  return (
    <>
      {hosts.map((host) => (
        <HostProblem key={host.id} host={host} />
      ))}
      {away.length > 0 && (
        <p className="callout callout-warning" role="status" data-testid="portfolio-absent">
          {t('portfolio.absent', { names: format.list(away) })}
        </p>
      )}
      {uncounted.length > 0 && (
        <p className="callout callout-warning" role="status">
          {t('portfolio.uncounted', { names: format.list(uncounted.map(({ name }) => name)) })}
        </p>
      )}
    </>
  );
}

const isAway = ({ state }: NonNullable<Answer['hosts']>[number]) => state !== 'up';
