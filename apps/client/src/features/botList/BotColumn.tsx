import './column.css';
import { hostOf } from '@heron/contract/bots/pairedHosts.ts';
import { useQuery } from '@tanstack/react-query';
import { HostBadge, HostProblems, StatusBadge } from '../../entities/bot/badges.tsx';
import { moneyAt } from '../../entities/bot/moneyAt.ts';
import { botsQuery } from '../../entities/bot/queries.ts';
import { usePreferences } from '../../lib/preferences.ts';
import { PercentMoved } from '../../ui/Figures.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { Link } from '../../ui/Link.tsx';
import { arranged } from './arrange.ts';
import { useArrangement } from './useArrangement.ts';
import { useRecentProfits } from './useRecentProfits.ts';

/** Lists all bots beside the open one on wide screens. @param path path of the screen in front */
export function BotColumn({ path }: { path: string }) {
  const { t, display } = usePreferences();
  const { data } = useQuery(botsQuery());
  const [{ order }] = useArrangement();
  const { recent } = useRecentProfits();
  const bots = arranged(data?.bots ?? [], { order, kind: 'all', search: '' }, recent, display.language);
  const open = /^\/bot(?:-edit)?\/([^/]+)\//.exec(path)?.[1];
  return (
    <nav className="bot-column" aria-label={t('bots.column')}>
      <div className="bot-column-head">
        <h2>{t('bots.title')}</h2>
        <Link className="btn btn-quiet btn-icon" href="/bot-add/" aria-label={t('bots.new')} title={t('bots.new')}>
          <Icon name="plus" size={18} />
        </Link>
      </div>
      <HostProblems but={path.startsWith('/bot/') && open !== undefined ? hostOf(open) : null} />
      <ul>
        {bots.map((bot) => (
          <li key={bot.id}>
            <Link
              className={`bot-column-link bot-column-${moneyAt(bot)}`}
              href={`/bot/${bot.id}/`}
              data-shortcut="bot"
              aria-current={bot.id === open ? 'page' : undefined}
            >
              <span className="bot-column-name">{bot.name}</span>
              <PercentMoved value={bot.performance.profitPercent} />
              <span className="bot-column-state">
                <StatusBadge bot={bot} testId="column-status" />
                <span className="bot-column-money">
                  {t(`money.${moneyAt(bot)}`)}
                  <HostBadge bot={bot.id} />
                </span>
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
