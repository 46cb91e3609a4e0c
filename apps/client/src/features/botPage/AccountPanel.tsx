import type { AccountView, BotDetail, JournalEntry } from '@heron/contract/bots/entities.ts';
import { hostOf } from '@heron/contract/bots/pairedHosts.ts';
import { decimalUnits } from '@heron/engine/money/decimalText.ts';
import { useQuery } from '@tanstack/react-query';
import { journalSentence } from '../../entities/bot/journalSentence.ts';
import { externalChangesQuery, keysQuery } from '../../entities/bot/queries.ts';
import { type Preferences, usePreferences } from '../../lib/preferences.ts';
import { Moment } from '../../ui/Figures.tsx';
import { Link } from '../../ui/Link.tsx';

const TONES = {
  off: 'rest',
  connecting: 'busy',
  streaming: 'live',
  polling: 'busy',
  unreachable: 'problem',
  key_refused: 'problem',
} as const satisfies Record<AccountView['connection'], string>;

/** Shows the account of a live bot: its key, the state of its connection, and the external changes on it. */
export function AccountPanel({ bot, account }: { bot: BotDetail; account: AccountView }) {
  const preferences = usePreferences();
  const { t, format } = preferences;
  const { data: keys } = useQuery(keysQuery(hostOf(bot.id)));
  const { data: externalChanges } = useQuery(externalChangesQuery(bot.id));
  const key = keys?.keys.find(({ id }) => id === account.key);
  const { connection, comparedAt, allotment } = account;
  return (
    <section className="card panel" aria-labelledby="account-title" data-testid="account">
      <h2 id="account-title">{t('live.account')}</h2>
      <dl className="facts">
        <div>
          <dt>{t('account.connection')}</dt>
          <dd>
            <span
              className={`status status-${TONES[connection]}`}
              data-testid="account-connection"
              data-connection={connection}
            >
              <span className="status-dot" aria-hidden="true" />
              {t(`connectionState.${connection}`)}
            </span>
          </dd>
        </div>
        <div>
          <dt>{t('account.comparedAt')}</dt>
          <dd className="num">{comparedAt === null ? '—' : format.dateTime(comparedAt)}</dd>
        </div>
        <div>
          <dt>{t('live.key')}</dt>
          <dd>
            {key && (
              <Link className="text-link" href="/exchange-index/">
                {key.label} ····{key.lastFour}
              </Link>
            )}
          </dd>
        </div>
        <div>
          <dt>{t('live.allotment')}</dt>
          <dd className="num">{allotmentText(allotment, bot.performance, preferences)}</dd>
        </div>
      </dl>
      {(connection === 'polling' || connection === 'unreachable' || connection === 'key_refused') && (
        <p className="callout callout-warning account-note">{t(`account.${connection}`)}</p>
      )}
      <h3>{t('account.outside')}</h3>
      {externalChanges === undefined || externalChanges.entries.length === 0 ? (
        <p className="panel-empty">{t('account.nothingOutside')}</p>
      ) : (
        <ul className="account-outside">
          {externalChanges.entries.map((entry) => (
            <li key={entry.seq} className={isInformation(entry) ? 'account-information' : undefined}>
              <Moment className="num" at={entry.at} />
              <span>
                {entry.pair && <strong>{entry.pair} </strong>}
                {journalSentence(entry, preferences)}
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** Whether an entry needs no attention: other coins on the account, which do not pause the pair. */
function isInformation({ data }: JournalEntry): boolean {
  return data.what === 'foreign' && data.pauses !== true;
}

/** Returns the share of the account in words. A bot has less when the account had no more, or after a withdrawal. */
function allotmentText(
  allotment: string | null,
  { currency, startCapital }: BotDetail['performance'],
  { t, format }: Preferences,
): string {
  if (allotment === null) return t('live.wholeAccount', { currency });
  const money = (amount: string) => format.money(amount, currency);
  const hasLess = Number(startCapital) > 0 && decimalUnits(startCapital) < decimalUnits(allotment);
  return hasLess
    ? t('account.hasLess', { capital: money(startCapital), allotment: money(allotment) })
    : money(allotment);
}
