import { strategyHelp } from '@heron/contract/locales/strategyTexts.ts';
import { exchangeTitle } from '@heron/contract/locales/venueTexts.ts';
import { strategyTitle } from '../../../entities/bot/strategyTitle.ts';
import '../../../entities/bot/bot.css';
import './setup.css';
import { GROUPS, type Group, type Item } from '@heron/engine/options/item.ts';
import { OPTION_TABLE, OPTIONS } from '@heron/engine/options/table.ts';
import { DEFAULT_VENUE, exchangeOfVenue, type VenueId } from '@heron/engine/options/venues.ts';
import { STRATEGIES } from '@heron/engine/strategies/catalogue.ts';
import { type ReactNode, useState } from 'react';
import { strategyGroupLabel } from '../../../entities/bot/labels.ts';
import { isSame } from '../../../entities/bot/setup/differences.ts';
import { optionTitle } from '../../../entities/bot/setup/optionLabels.ts';
import {
  joinEdits,
  type SetupEdit,
  shownParams,
  typedOption,
  typedOptions,
} from '../../../entities/bot/setup/setupDraft.ts';
import { standardOption, standardSetup } from '../../../entities/bot/setup/standards.ts';
import { optionText } from '../../../entities/bot/setup/valueLabels.ts';
import { usePreferences } from '../../../lib/preferences.ts';
import type { Key } from '../../../locales/texts.ts';
import { Button } from '../../../ui/Button.tsx';
import { SelectField } from '../../../ui/fields/SelectField.tsx';
import { confirm } from '../../../ui/toasts.tsx';
import { ChangedNote } from './ChangedNote.tsx';
import { FUTURES_OPTIONS } from './FuturesOptions.tsx';
import { isOffered } from './isOffered.ts';
import { ModeHelp } from './ModeHelp.tsx';
import { PairPicker } from './PairPicker.tsx';
import { ParamField } from './ParamField.tsx';
import { editTo, SetupOption } from './SetupOption.tsx';
import type { SetupForm } from './setupForm.ts';

const ITEMS: readonly Item[] = OPTION_TABLE;

/** Options with fields outside of the groups. */
const APART: ReadonlySet<string> = new Set(['exchange', 'mode', 'watch_pairs', 'strategy']);
/** Options that every user decides on. The others are behind "More options". */
const FIRST: ReadonlySet<string> = new Set([
  ...FUTURES_OPTIONS,
  'currency_capital',
  'period',
  'buy_pct',
  'short_buy_pct',
  'order_type',
]);

const GROUP_TITLES = {
  exchange: 'add.groupExchange',
  buy: 'add.groupBuy',
  sell: 'add.groupSell',
  strategy: 'add.groupStrategy',
  server: 'add.groupServer',
  advance: 'add.groupAdvance',
} as const satisfies Record<Group, Key>;

/** Renders cards with strategy, pairs, orders and all other options. */
export function SetupCards({ form }: { form: SetupForm }) {
  const preferences = usePreferences();
  const { t, language } = preferences;
  const { draft, before, faults, change } = form;
  const [more, setMore] = useState(false);
  const strategy = STRATEGIES.get(draft.texts.strategy ?? '');

  // Runs during rendering, not in an effect, because the focus moves in the same render. It opens the hidden options
  // whenever one of them has an error.
  const [seen, setSeen] = useState(faults);
  if (faults !== seen) {
    setSeen(faults);
    const hidden = Object.keys(faults).some((field) => OPTIONS.has(field) && !APART.has(field) && !FIRST.has(field));
    if (hidden) setMore(true);
  }

  /** Renders the note below a field that is not a plain one. */
  function noteOf(name: 'strategy' | 'watch_pairs'): ReactNode {
    const item = OPTIONS.get(name);
    if (before === null || item === undefined) return null;
    const was = typedOption(before, item);
    if (isSame(was, typedOption(draft, item))) return null;
    return (
      <ChangedNote
        title={optionTitle(item, language)}
        was={optionText(item, was, preferences)}
        acts={item.apply}
        onUndo={() => change(editTo(item, before))}
      />
    );
  }

  const differing = differingItems(form, ({ name }) => !APART.has(name));

  async function resetAll() {
    const agreed = await confirm({
      title: t('setup.resetAllTitle'),
      text: t('setup.resetAllText', { options: differing.map((item) => optionTitle(item, language)).join(', ') }),
      confirm: t('setup.resetAll', { count: differing.length }),
    });
    if (agreed) change(resetOf(differing, draft.texts.exchange));
  }

  return (
    <>
      <section className="card form-card">
        <h2>{t('add.strategy')}</h2>
        <SelectField
          label={t('add.strategyChoice')}
          value={draft.texts.strategy ?? ''}
          choices={[...STRATEGIES.values()].map(({ id, group }) => ({
            value: id,
            title: strategyTitle(id, preferences),
            group: strategyGroupLabel(group, preferences),
          }))}
          hint={strategy && strategyHelp(strategy.id)?.[language]}
          fault={faults.strategy}
          below={noteOf('strategy')}
          onChange={(id) => change({ texts: { strategy: id } })}
        />
        <div className="form-grid">
          {shownParams(draft).map((param) => (
            <ParamField key={param.name} form={form} param={param} />
          ))}
          <SetupOption form={form} name="period" />
        </div>
      </section>

      <section className="card form-card">
        <h2>{t('add.pairs')}</h2>
        <PairPicker
          key={`${form.host} ${draft.texts.exchange}`}
          // The option table contains only ids of venues.
          venue={(draft.texts.exchange ?? DEFAULT_VENUE) as VenueId}
          host={form.host}
          wanted={{
            currency: draft.texts.product_currency ?? '',
            minVolume: typedOptions(draft).product_min_volume,
          }}
          mask={draft.texts.price_format}
          chosen={draft.pairs}
          fault={faults.pairs ?? faults.watch_pairs}
          onChange={(pairs) => change({ pairs })}
        />
        {noteOf('watch_pairs')}
      </section>

      <section className="card form-card">
        <h2>{t('add.orders')}</h2>
        <SetupOption form={form} name="buy_pct" />
        <SetupOption form={form} name="short_buy_pct" />
        <SetupOption form={form} name="order_type" />
      </section>

      <details className="more-options" open={more} onToggle={(event) => setMore(event.currentTarget.open)}>
        <summary>{t('add.more')}</summary>
        {more && (
          <div className="form">
            {GROUPS.map((group) => (
              <GroupCard key={group} form={form} group={group} />
            ))}
          </div>
        )}
      </details>

      {differing.length > 0 && (
        <div>
          <Button kind="quiet" icon="undo" onClick={() => void resetAll()}>
            {t('setup.resetAll', { count: differing.length })}
          </Button>
        </div>
      )}
    </>
  );
}

/** Renders the options of a group that are not shown elsewhere. */
function GroupCard({ form, group }: { form: SetupForm; group: Group }) {
  const { t } = usePreferences();
  const { draft, change } = form;
  const items = ITEMS.filter(({ name }) => !APART.has(name) && !FIRST.has(name)).filter(
    (item) => item.group === group && isOffered(item, form),
  );
  if (items.length === 0) return null;
  const differing = differingItems(form, ({ name }) => items.some((item) => item.name === name));
  return (
    <section className="card form-card">
      <div className="group-head">
        <h2>{t(GROUP_TITLES[group])}</h2>
        {group === 'exchange' && <ModeHelp />}
        {differing.length > 0 && (
          <Button
            kind="quiet"
            icon="undo"
            aria-label={t('setup.resetGroupOf', { group: t(GROUP_TITLES[group]), count: differing.length })}
            onClick={() => change(resetOf(differing, draft.texts.exchange))}
          >
            {t('setup.resetGroup', { count: differing.length })}
          </Button>
        )}
      </div>
      {group === 'exchange' && <FeeNote venue={draft.texts.exchange ?? ''} />}
      <div className="form-grid form-grid-wide">
        {items.map(({ name }) => (
          <SetupOption key={name} form={form} name={name} />
        ))}
      </div>
    </section>
  );
}

/** Names the usual fees of the venue, so that a member of another account tier can correct them. */
function FeeNote({ venue }: { venue: string }) {
  const { t, format, language } = usePreferences();
  const exchange = exchangeOfVenue(venue);
  if (exchange === undefined) return null;
  const name = exchangeTitle(venue)[language];
  const { maker, taker } = exchange.fees;
  const pools: readonly number[] | undefined = 'poolFees' in exchange ? exchange.poolFees : undefined;
  return (
    <p className="field-note">
      {pools === undefined
        ? t('setup.feeNote', { exchange: name, maker: format.quantity(maker), taker: format.quantity(taker) })
        : t('setup.poolNote', { exchange: name, fees: pools.map((fee) => `${format.quantity(fee)}%`).join(' · ') })}
    </p>
  );
}

/** Returns the visible options that differ from their defaults. */
function differingItems(form: SetupForm, among: (item: Item) => boolean): Item[] {
  const { draft } = form;
  return ITEMS.filter(
    (item) =>
      among(item) &&
      isOffered(item, form) &&
      !isSame(typedOption(draft, item), standardOption(item, draft.texts.exchange)),
  );
}

const NOTHING: SetupEdit = {};
const resetOf = (items: readonly Item[], venue: string | undefined) =>
  items.map((item) => editTo(item, standardSetup(venue))).reduce(joinEdits, NOTHING);
