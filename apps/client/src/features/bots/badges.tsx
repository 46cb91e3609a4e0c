import type { BotStatus } from '@heron/contract/bots/entities.ts';
import { useReader } from '../../lib/reader.ts';
import { moneyAt } from './moneyAt.ts';
import { statusWord } from './statusWord.ts';

/** Always beside a bot's name: nobody may take paper for money, or the demo market for a real one. */
export function MarketBadges({ demo, mode }: { demo: boolean; mode: 'paper' | 'live' }) {
  const { t } = useReader();
  return (
    <span className="badges">
      {demo && <span className="tag tag-demo">{t('market.demo')}</span>}
      <span className={`tag tag-${moneyAt({ demo, mode })}`}>{t(`market.${moneyAt({ demo, mode })}`)}</span>
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
};

interface StatusBadgeProps {
  readonly status: BotStatus;
  /** It ends as soon as it holds nothing. */
  readonly draining: boolean;
  /** Differs by place: the list stays drawn below the screen of a bot. */
  readonly testId?: string;
}

export function StatusBadge({ status, draining, testId = 'bot-status' }: StatusBadgeProps) {
  const reader = useReader();
  return (
    <span className={`status status-${TONES[status]}`} data-testid={testId} data-status={status}>
      <span className="status-dot" aria-hidden="true" />
      {draining ? reader.t('bot.draining') : statusWord(status, reader)}
    </span>
  );
}

/** States from which a bot can be started; from the others it can be stopped. */
export const isAtRest = (status: BotStatus) => status === 'created' || status === 'finished' || status === 'error';
