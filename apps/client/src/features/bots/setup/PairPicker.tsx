import type { MarketView } from '@heron/contract/bots/entities.ts';
import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { useReader } from '../../../lib/reader.ts';
import { PercentMoved } from '../../../ui/Figures.tsx';
import { Icon } from '../../../ui/Icon.tsx';
import { Problem, Skeleton } from '../../../ui/states.tsx';
import { marketsQuery } from '../queries.ts';

interface PairPickerProps {
  readonly exchange: string;
  readonly chosen: readonly string[];
  readonly fault: string | undefined;
  readonly onChange: (pairs: string[]) => void;
}

/** Chooses pairs from the venue's markets, largest volume first, with a search. */
export function PairPicker({ exchange, chosen, fault, onChange }: PairPickerProps) {
  const { t } = useReader();
  const id = useId();
  const [search, setSearch] = useState('');
  const { data, error, refetch } = useQuery(marketsQuery(exchange));
  const wanted = search.trim().toUpperCase();
  const shown = data?.markets.filter(({ pair }) => pair.includes(wanted));

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
      {shown ? (
        shown.length > 0 ? (
          <ul className="pair-list">
            {shown.map((market) => (
              <Row key={market.pair} market={market} chosen={chosen.includes(market.pair)} onToggle={toggle} />
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
    </fieldset>
  );
}

function Row({ market, chosen, onToggle }: { market: MarketView; chosen: boolean; onToggle: (pair: string) => void }) {
  const { t, format } = useReader();
  const { pair, last, change24h, volume24h } = market;
  return (
    <li>
      <label className={`pair-row ${chosen ? 'chosen' : ''}`}>
        <input type="checkbox" aria-label={pair} checked={chosen} onChange={() => onToggle(pair)} />
        <strong>{pair}</strong>
        <span className="num pair-row-price">{last === null ? '—' : format.price(last)}</span>
        <span className="pair-row-change">{change24h === null ? '—' : <PercentMoved value={change24h} />}</span>
        <span className="num pair-row-volume">
          {volume24h === null ? '—' : t('add.volume', { volume: format.compact(volume24h) })}
        </span>
      </label>
    </li>
  );
}
