import { venueTitle } from '@heron/contract/locales/venueTexts.ts';
import { decimalUnits } from '@heron/engine/money/decimalText.ts';
import { environmentOf, type VenueId } from '@heron/engine/options/venues.ts';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { usePreferences } from '../../lib/preferences.ts';
import { ActButton } from '../../ui/ActButton.tsx';
import { Button } from '../../ui/Button.tsx';
import { TextField } from '../../ui/fields/TextField.tsx';
import { Overlay } from '../../ui/Overlay.tsx';
import { MarketBadges } from './badges.tsx';
import { botsQuery, keyBalanceQuery, keysQuery } from './queries.ts';

/** Names the bot, the account and the money of a live start. */
export interface LiveStart {
  readonly name: string;
  /** The paired bot host that holds the key; null for this Heron's own host. */
  readonly host: string | null;
  readonly venue: VenueId;
  readonly keyId: string;
  /** The bot's share of the account in the product currency; null for the whole account. */
  readonly allotment: string | null;
  /** The present capital of a bot that has traded before; null before its first start, which takes the allotment. */
  readonly capital: string | null;
  readonly currency: string;
  readonly pairs: readonly string[];
}

interface LiveStartDialogProps {
  readonly bot: LiveStart;
  readonly busy: boolean;
  /** The error of the last attempt. */
  readonly problem?: string | null;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

/** Shows the bot, its account and the money at risk. It starts the bot only after the user has typed the bot's name. */
export function LiveStartDialog({ bot, busy, problem = null, onConfirm, onClose }: LiveStartDialogProps) {
  const { t, format, language } = usePreferences();
  const { data } = useQuery(keysQuery(bot.host));
  const [typed, setTyped] = useState('');
  const [fault, setFault] = useState<string | null>(null);
  const host = useQuery(botsQuery()).data?.hosts?.find(({ id }) => id === bot.host);
  const { data: balance } = useQuery(keyBalanceQuery(bot.capital === null ? bot.keyId : '', bot.currency, bot.host));
  const { allotment, currency } = bot;
  const now = bot.capital ?? balance?.available ?? null;
  const atRisk =
    allotment !== null
      ? format.money(bot.capital ?? lower(allotment, now), currency)
      : now === null
        ? t('live.wholeAccount', { currency })
        : t('live.wholeAccountNow', { currency, amount: format.money(now, currency) });
  const key = data?.keys.find(({ id }) => id === bot.keyId);

  function submit(event: FormEvent) {
    event.preventDefault();
    if (typed.trim() === bot.name) return onConfirm();
    setFault(t('live.nameWrong', { name: bot.name }));
  }

  return (
    <Overlay alert title={t('live.startTitle', { name: bot.name })} onClose={onClose}>
      <MarketBadges venue={bot.venue} mode="live" />
      <p className="overlay-text live-start-text">{t(`live.startText.${environmentOf(bot.venue)}`)}</p>
      <dl className="facts">
        <div>
          <dt>{t('live.atRisk')}</dt>
          <dd className="num">{atRisk}</dd>
        </div>
        <div>
          <dt>{t('live.account')}</dt>
          <dd>
            {venueTitle(bot.venue)[language]}
            {key && `, ${key.label} ····${key.lastFour}`}
          </dd>
        </div>
        {host && (
          <div>
            <dt>{t('hosts.where')}</dt>
            <dd>{host.name}</dd>
          </div>
        )}
        <div>
          <dt>{t('bot.pairs')}</dt>
          <dd>{bot.pairs.join(', ')}</dd>
        </div>
      </dl>
      {problem && (
        <p className="callout callout-problem" role="alert">
          {problem}
        </p>
      )}
      <form className="order-form" noValidate onSubmit={submit}>
        <TextField
          label={t('live.typeName', { name: bot.name })}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          autoFocus
          value={typed}
          fault={fault}
          onChange={setTyped}
        />
        <div className="overlay-actions">
          <Button onClick={onClose}>{t('app.cancel')}</Button>
          <ActButton kind="primary" type="submit" icon="play" busy={busy}>
            {t('live.start')}
          </ActButton>
        </div>
      </form>
    </Overlay>
  );
}

/** Returns the lower of two amounts; the other may be unknown. */
function lower(amount: string, other: string | null): string {
  return other !== null && decimalUnits(other) < decimalUnits(amount) ? other : amount;
}
