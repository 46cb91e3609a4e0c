import type { BotSummary } from '@heron/contract/bots/entities.ts';
import { usePreferences } from '../../lib/preferences.ts';
import { SelectField } from '../../ui/fields/SelectField.tsx';
import { SearchField } from '../../ui/SearchField.tsx';
import { type Arrangement, BOT_ORDERS, type BotKind, kindsAmong } from './arrange.ts';

const KIND_WORDS = {
  all: 'botKind.all',
  running: 'botKind.running',
  atRest: 'botKind.atRest',
  liveReal: 'money.liveReal',
  liveTestnet: 'money.liveTestnet',
  liveDemo: 'money.liveDemo',
  paperReal: 'money.paperReal',
  paperTestnet: 'money.paperTestnet',
  paperDemo: 'money.paperDemo',
} as const satisfies Record<BotKind, string>;

interface ArrangeBarProps {
  readonly bots: readonly BotSummary[];
  readonly arrangement: Arrangement;
  readonly onChange: (change: Partial<Arrangement>) => void;
}

/** Searches, sorts and filters the list of bots. */
export function ArrangeBar({ bots, arrangement, onChange }: ArrangeBarProps) {
  const { t } = usePreferences();
  const kinds = kindsAmong(bots);
  return (
    <search className="arrange" data-shortcut="search">
      <SearchField label={t('bots.search')} value={arrangement.search} onChange={(search) => onChange({ search })} />
      <SelectField
        label={t('bots.order')}
        labelHidden
        value={arrangement.order}
        choices={BOT_ORDERS.map((value) => ({ value, title: t(`botOrder.${value}`) }))}
        onChange={(value) => onChange({ order: BOT_ORDERS.find((order) => order === value) ?? arrangement.order })}
      />
      {kinds.length > 1 && (
        <SelectField
          label={t('bots.kind')}
          labelHidden
          value={arrangement.kind}
          choices={kinds.map((value) => ({ value, title: t(KIND_WORDS[value]) }))}
          onChange={(value) => onChange({ kind: kinds.find((kind) => kind === value) ?? 'all' })}
        />
      )}
    </search>
  );
}
