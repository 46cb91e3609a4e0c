import type { ExchangeKey, KeyBalance } from '@heron/contract/bots/entities.ts';
import { venueTitle } from '@heron/contract/locales/venueTexts.ts';
import { differenceOf } from '@heron/engine/money/decimalText.ts';
import { environmentOf, type VenueId } from '@heron/engine/options/venues.ts';
import type { UseQueryResult } from '@tanstack/react-query';
import type { Faults } from '../../../entities/bot/setup/setupDraft.ts';
import { type Preferences, usePreferences } from '../../../lib/preferences.ts';
import { shareOf } from '../../../lib/roundedAmount.ts';
import { ActButton } from '../../../ui/ActButton.tsx';
import { explain } from '../../../ui/explain.ts';
import { Choice } from '../../../ui/fields/Choice.tsx';
import { SelectField } from '../../../ui/fields/SelectField.tsx';
import { ShareButtons } from '../../../ui/fields/ShareButtons.tsx';
import { TextField } from '../../../ui/fields/TextField.tsx';
import { Icon } from '../../../ui/Icon.tsx';
import { Link } from '../../../ui/Link.tsx';
import type { AccountDraft } from './draft.ts';

interface LiveAccountCardProps {
  readonly venue: VenueId;
  /** Name of the paired bot host that is to run the bot; null for this Heron's own host. */
  readonly host: string | null;
  /** The member's keys for this venue; undefined until they are known. */
  readonly keys: readonly ExchangeKey[] | undefined;
  readonly account: AccountDraft;
  /** The balance of the chosen key. */
  readonly balance: UseQueryResult<KeyBalance>;
  readonly currency: string;
  readonly faults: Faults;
  readonly onChange: (part: Partial<AccountDraft>) => void;
}

/** Chooses the account of a live bot and the bot's share of it. */
export function LiveAccountCard(props: LiveAccountCardProps) {
  const { venue, host, keys, account, balance, currency, faults, onChange } = props;
  const preferences = usePreferences();
  const { t, language } = preferences;
  const title = venueTitle(venue)[language];
  const available = balance.data?.available;
  return (
    <section className="card form-card form-card-live" aria-label={t('live.account')}>
      <h2>{t('live.account')}</h2>
      <p className="callout callout-warning">{t(`live.money.${environmentOf(venue)}`)}</p>
      {keys?.length === 0 ? (
        <div className="live-no-key">
          <p role={faults.key ? 'alert' : undefined} className={faults.key ? 'field-wrong-note' : undefined}>
            {host === null
              ? t('live.noKey', { exchange: title })
              : t('hosts.noKey', { exchange: title, host, command: `npx heron keys add ${venue}` })}
          </p>
          {host === null && (
            <Link className="btn btn-primary" href={`/exchange-add/${venue}/`}>
              <Icon name="key" size={18} />
              <span>{t('keys.add')}</span>
            </Link>
          )}
        </div>
      ) : (
        <>
          <SelectField
            label={t('live.key')}
            value={account.key}
            choices={[
              { value: '', title: t('live.chooseKey') },
              ...(keys ?? []).map(({ id, label, lastFour }) => ({ value: id, title: `${label} ····${lastFour}` })),
            ]}
            fault={faults.key}
            hint={account.key === '' ? undefined : balanceText(balance, currency, preferences)}
            below={
              balance.isError && (
                <ActButton busy={balance.isFetching} onClick={() => void balance.refetch()}>
                  {t('live.readBalance')}
                </ActButton>
              )
            }
            onChange={(key) => onChange({ key })}
          />
          <Choice
            label={t('live.share')}
            value={account.share}
            choices={[
              { value: 'part', title: t('live.sharePart') },
              { value: 'all', title: t('live.shareAll') },
            ]}
            onChange={(share) => onChange({ share })}
          />
          {account.share === 'part' ? (
            <TextField
              label={t('live.allotment')}
              inputMode="decimal"
              autoComplete="off"
              unit={currency}
              value={account.allotment}
              hint={t('live.allotmentHint')}
              fault={faults.allotment}
              below={
                <ShareButtons
                  label={t('live.shareOfUnallocated')}
                  disabled={available === undefined}
                  onPick={(percent) =>
                    available !== undefined && onChange({ allotment: shareOf(available, percent, 'quote') })
                  }
                />
              }
              onChange={(allotment) => onChange({ allotment })}
            />
          ) : (
            <p className="field-note">{t('live.shareAllText', { currency })}</p>
          )}
        </>
      )}
    </section>
  );
}

/** Returns the balance of a key in words: what is left, unknown, or being read. */
function balanceText(
  { data, error }: UseQueryResult<KeyBalance>,
  currency: string,
  { t, format }: Preferences,
): string {
  if (data === undefined) return error ? t('live.balanceUnknown', { reason: explain(error, t) }) : t('live.reading');
  const amount = format.money(data.available, currency);
  const locked = differenceOf(data.available, data.free);
  return Number(locked) > 0
    ? t('live.unallocatedLocked', { amount, locked: format.money(locked, currency) })
    : t('live.unallocated', { amount });
}
