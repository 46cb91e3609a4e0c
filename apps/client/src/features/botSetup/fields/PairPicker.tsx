import type { MarketView } from '@heron/contract/bots/entities.ts';
import type { VenueId } from '@heron/engine/options/venues.ts';
import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { marketsQuery } from '../../../entities/bot/queries.ts';
import { shownDecimals } from '../../../entities/bot/shownDecimals.ts';
import { usePreferences } from '../../../lib/preferences.ts';
import type { Key } from '../../../locales/texts.ts';
import { Button } from '../../../ui/Button.tsx';
import { PercentMoved } from '../../../ui/Figures.tsx';
import { SelectField } from '../../../ui/fields/SelectField.tsx';
import { Icon } from '../../../ui/Icon.tsx';
import { Problem, Skeleton } from '../../../ui/states.tsx';
import { MARKET_ORDERS, type MarketOrder, offeredMarkets, sortedMarkets, type Wanted } from './offeredMarkets.ts';

const ORDER_WORDS = {
  volume: 'pairs.byVolume',
  change: 'pairs.byChange',
  name: 'pairs.byName',
} as const satisfies Record<MarketOrder, Key>;

interface PairPickerProps {
  readonly venue: VenueId;
  /** The paired bot host that trades on the venue; null for this Heron's own host. */
  readonly host: string | null;
  /** Decides which markets the bot can trade. */
  readonly wanted: Wanted;
  /** Option `price_format` of the bot. */
  readonly mask: unknown;
  readonly chosen: readonly string[];
  readonly fault: string | undefined;
  readonly onChange: (pairs: string[]) => void;
}

/** Number of rows at first and per page, because an exchange lists thousands of markets. */
const ROWS = 60;

/** Chooses pairs from the markets of the venue that the bot can trade, or from all markets. */
export function PairPicker({ venue, host, wanted, mask, chosen, fault, onChange }: PairPickerProps) {
  const { t } = usePreferences();
  const id = useId();
  const [search, setSearch] = useState('');
  const { data, error, refetch } = useQuery(marketsQuery(venue, host));
  const [all, setAll] = useState(false);
  const [order, setOrder] = useState<MarketOrder>('volume');
  const [rows, setRows] = useState(ROWS);
  // The pairs chosen at the last sort come first, so that no row moves while the user chooses.
  const [first, setFirst] = useState<ReadonlySet<string>>(() => new Set(chosen));
  const offered = data && offeredMarkets(data.markets, wanted);
  const left = data && offered ? data.markets.length - offered.length : 0;
  const listed = new Set([...first, ...chosen, ...(offered ?? []).map(({ pair }) => pair)]);
  const sought = search.trim().toUpperCase();
  const among = all ? data?.markets : data?.markets.filter(({ pair }) => listed.has(pair));
  const shown = among && sortedMarkets(among, order, first).filter(({ pair }) => pair.includes(sought));

  function arrange(next: MarketOrder) {
    setOrder(next);
    setFirst(new Set(chosen));
  }

  function toggle(pair: string) {
    onChange(chosen.includes(pair) ? chosen.filter((one) => one !== pair) : [...chosen, pair]);
  }

  return (
    <fieldset className="pair-picker" aria-describedby={`${id}-note`}>
      <legend className="hidden">{t('add.pairs')}</legend>
      <div className="input">
        <Icon name="search" size={18} />
        <input
          type="search"
          aria-label={t('add.search')}
          placeholder={t('add.search')}
          value={search}
          autoComplete="off"
          aria-invalid={fault ? true : undefined}
          onChange={(event) => setSearch(event.target.value)}
        />
      </div>
      <p
        id={`${id}-note`}
        className={fault ? 'field-note field-wrong-note' : 'field-note'}
        role={fault ? 'alert' : undefined}
      >
        {fault ??
          (chosen.length > 0
            ? t('add.chosen', { count: chosen.length, pairs: chosen.join(', ') })
            : t('add.noneChosen'))}
      </p>
      <SelectField
        label={t('pairs.order')}
        value={order}
        choices={MARKET_ORDERS.map((value) => ({ value, title: t(ORDER_WORDS[value]) }))}
        onChange={(value) => arrange(MARKET_ORDERS.find((one) => one === value) ?? 'volume')}
      />
      {shown ? (
        shown.length > 0 ? (
          <ul className="pair-list">
            {shown.slice(0, rows).map((market) => (
              <Row
                key={market.pair}
                market={market}
                mask={mask}
                chosen={chosen.includes(market.pair)}
                onToggle={toggle}
              />
            ))}
          </ul>
        ) : (
          <p className="panel-empty">{t('add.noMatch', { search })}</p>
        )
      ) : error ? (
        <Problem error={error} onRetry={() => void refetch()} />
      ) : (
        <Skeleton rows={5} height={44} />
      )}
      {shown && shown.length > rows && (
        <Button className="more" onClick={() => setRows(rows + ROWS)}>
          {t('pairs.more', { count: shown.length - rows })}
        </Button>
      )}
      {left > 0 && (
        <Button kind="quiet" onClick={() => setAll(!all)}>
          {all ? t('pairs.fewer') : t('pairs.all', { count: left })}
        </Button>
      )}
    </fieldset>
  );
}

interface RowProps {
  readonly market: MarketView;
  readonly mask: unknown;
  readonly chosen: boolean;
  readonly onToggle: (pair: string) => void;
}

function Row({ market, mask, chosen, onToggle }: RowProps) {
  const { t, format } = usePreferences();
  const { pair, last, change24h, volume24h, tickSize } = market;
  const decimals = shownDecimals(mask, tickSize) ?? undefined;
  return (
    <li>
      <label className={`pair-row ${chosen ? 'chosen' : ''}`}>
        <input type="checkbox" aria-label={pair} checked={chosen} onChange={() => onToggle(pair)} />
        <strong>{pair}</strong>
        <span className="num pair-row-price">{last === null ? '—' : format.price(last, decimals)}</span>
        <span className="pair-row-change">{change24h === null ? '—' : <PercentMoved value={change24h} />}</span>
        <span className="num pair-row-volume">
          {volume24h === null ? '—' : t('add.volume', { volume: format.compact(volume24h) })}
        </span>
      </label>
    </li>
  );
}
