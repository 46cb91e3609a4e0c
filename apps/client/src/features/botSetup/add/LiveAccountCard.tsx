import type { ExchangeKey } from '@heron/contract/bots/entities.ts';
import { venueTitle } from '@heron/contract/locales/venueTexts.ts';
import { environmentOf, type VenueId } from '@heron/engine/options/venues.ts';
import type { Faults } from '../../../entities/bot/setup/setupDraft.ts';
import { usePreferences } from '../../../lib/preferences.ts';
import { Choice } from '../../../ui/fields/Choice.tsx';
import { SelectField } from '../../../ui/fields/SelectField.tsx';
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
  readonly currency: string;
  readonly faults: Faults;
  readonly onChange: (part: Partial<AccountDraft>) => void;
}

/** Chooses the account of a live bot and the bot's share of it. */
export function LiveAccountCard({ venue, host, keys, account, currency, faults, onChange }: LiveAccountCardProps) {
  const { t, language } = usePreferences();
  const title = venueTitle(venue)[language];
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
