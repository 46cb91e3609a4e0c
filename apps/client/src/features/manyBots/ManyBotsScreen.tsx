import '../../entities/bot/bot.css';
import './manyBots.css';
import type { BotSummary } from '@heron/contract/bots/entities.ts';
import { differenceOf } from '@heron/engine/money/decimalText.ts';
import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { HostBadge, HostProblems, MarketBadges, StatusBadge } from '../../entities/bot/badges.tsx';
import { botsQuery } from '../../entities/bot/queries.ts';
import { usePreferences } from '../../lib/preferences.ts';
import { ActButton } from '../../ui/ActButton.tsx';
import { MoneyMoved, PercentMoved } from '../../ui/Figures.tsx';
import { Link } from '../../ui/Link.tsx';
import { Screen } from '../../ui/Screen.tsx';
import { Empty, Problem, Skeleton } from '../../ui/states.tsx';
import { BulkDialog } from './BulkDialog.tsx';
import { BULK_ACTS, type BulkAct, type BulkPlan, bulkPlan } from './bulkActs.ts';

/** Lists all bots as rows that can be selected, and acts on the selected ones. */
export function ManyBotsScreen() {
  const { t } = usePreferences();
  const { data, error, refetch } = useQuery(botsQuery());
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  // A bot that was deleted elsewhere is no longer selected.
  const selected = data?.bots.filter(({ id }) => chosen.has(id)) ?? [];
  return (
    <Screen
      title={t('many.title')}
      back="/bots/"
      onRefresh={refetch}
      footer={data && data.bots.length > 0 && <BulkBar selected={selected} />}
    >
      <HostProblems />
      {data ? (
        data.bots.length > 0 ? (
          <Rows bots={data.bots} selected={selected} onSelect={setChosen} />
        ) : (
          <Empty icon="bots" title={t('bots.emptyTitle')} text={t('bots.emptyText')} />
        )
      ) : error ? (
        <Problem error={error} onRetry={() => void refetch()} />
      ) : (
        <Skeleton rows={4} height={56} />
      )}
    </Screen>
  );
}

interface RowsProps {
  readonly bots: readonly BotSummary[];
  readonly selected: readonly BotSummary[];
  readonly onSelect: (ids: ReadonlySet<string>) => void;
}

function Rows({ bots, selected, onSelect }: RowsProps) {
  const { t } = usePreferences();
  const ids = new Set(selected.map(({ id }) => id));
  const all = selected.length === bots.length;
  return (
    <div className="card many-list">
      <label className="tick many-all">
        <input
          type="checkbox"
          checked={all}
          ref={(box) => {
            if (box) box.indeterminate = selected.length > 0 && !all;
          }}
          onChange={() => onSelect(new Set(all ? [] : bots.map(({ id }) => id)))}
        />
        <span>{t('many.all')}</span>
      </label>
      <ul aria-label={t('bots.title')}>
        {bots.map((bot) => (
          <Row
            key={bot.id}
            bot={bot}
            chosen={ids.has(bot.id)}
            onChoose={(on) => onSelect(on ? new Set(ids).add(bot.id) : new Set([...ids].filter((id) => id !== bot.id)))}
          />
        ))}
      </ul>
    </div>
  );
}

/** Offers each action with the number of selected bots that it applies to. */
function BulkBar({ selected }: { selected: readonly BotSummary[] }) {
  const { t } = usePreferences();
  const [open, setOpen] = useState<{ act: BulkAct; plan: BulkPlan } | null>(null);
  return (
    <section className="many-bar" aria-label={t('many.acts')}>
      <p role="status">{selected.length === 0 ? t('many.none') : t('many.selected', { count: selected.length })}</p>
      <div className="many-acts">
        {(selected.length === 0 ? [] : BULK_ACTS).map((act) => {
          const plan = bulkPlan(act, selected);
          const count = plan.targets.length;
          return (
            <ActButton
              key={act}
              kind={act === 'close' || act === 'remove' ? 'danger' : 'plain'}
              disabled={count === 0}
              // The plan stays as it was confirmed, while the states of the bots change.
              onClick={() => setOpen({ act, plan })}
            >
              {count === 0 ? t(`many.${act}`) : t('many.actOn', { act: t(`many.${act}`), count })}
            </ActButton>
          );
        })}
      </div>
      {open && <BulkDialog {...open} onClose={() => setOpen(null)} />}
    </section>
  );
}

interface RowProps {
  readonly bot: BotSummary;
  readonly chosen: boolean;
  readonly onChoose: (chosen: boolean) => void;
}

function Row({ bot, chosen, onChoose }: RowProps) {
  const { t } = usePreferences();
  const id = useId();
  const { performance } = bot;
  return (
    <li className="many-row" data-testid="many-row">
      <input
        type="checkbox"
        aria-label={t('many.select', { name: bot.name })}
        aria-describedby={id}
        checked={chosen}
        onChange={(event) => onChoose(event.target.checked)}
      />
      <Link className="many-name" href={`/bot/${bot.id}/`}>
        {bot.name}
      </Link>
      <span className="many-state" id={id}>
        <StatusBadge bot={bot} testId="many-status" />
        <MarketBadges venue={bot.venue} mode={bot.mode} />
        <HostBadge bot={bot.id} />
      </span>
      <span className="many-figures">
        <MoneyMoved
          value={differenceOf(performance.totalCapital, performance.startCapital)}
          currency={performance.currency}
        />
        <PercentMoved value={performance.profitPercent} />
      </span>
    </li>
  );
}
