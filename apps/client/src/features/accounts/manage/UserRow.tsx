import type { ListedUser } from '@heron/contract/accounts/peopleMethods.ts';
import { hasRole } from '@heron/contract/accounts/roles.ts';
import { usePreferences } from '../../../lib/preferences.ts';
import { Button } from '../../../ui/Button.tsx';
import { Icon } from '../../../ui/Icon.tsx';
import { shownName } from '../labels.ts';
import { mailTo } from './mailTo.ts';
import { mayDelete } from './ranks.ts';
import { registrationAge } from './registrationAge.ts';

interface UserRowProps {
  readonly user: ListedUser;
  readonly ownGroup: number | null;
  readonly isSelf: boolean;
  readonly busy: boolean;
  readonly onDelete: () => void;
  readonly onAppoint: () => void;
  readonly onRestore: () => void;
}

/**
 * Shows one user of the list. On a phone the actions are outside the right edge, and a swipe or the focus scrolls to
 * them. On a wide screen they are beside the user.
 */
export function UserRow({ user, ownGroup, isSelf, busy, onDelete, onAppoint, onRestore }: UserRowProps) {
  const { t, format, display } = usePreferences();
  const name = shownName(user);
  const registered = t('users.registered', { time: format.dateTime(user.registeredAt * 1_000) });
  const age = registrationAge(user.registeredAt, Date.now() / 1_000, display.language);
  const admin = hasRole(ownGroup, 'admin');
  const gone = user.deletedAt !== null;
  const deletes = !gone && !isSelf && mayDelete(ownGroup, user.groupId);
  return (
    <li className="user-row" data-testid="user-row">
      <div className="user-main">
        <p className="user-name">
          <strong>{name}</strong> <span className="row-note num">{user.uid}</span>
        </p>
        {user.description && <p className="user-about">{user.description}</p>}
        <p className="row-note num">
          <time dateTime={new Date(user.registeredAt * 1_000).toISOString()} title={registered}>
            {age === null ? t('users.registeredNow') : t('users.registeredFor', { age })}
          </time>
        </p>
        <ul className="chips" aria-label={t('users.about', { name })}>
          {gone && <li className="chip chip-danger">{t('users.isDeleted')}</li>}
          <li className={user.groupId === null ? 'chip' : 'chip chip-accent'}>{t(`role.${user.role}`)}</li>
          {user.tierName && <li className="chip chip-amber">{user.tierName}</li>}
          {user.tierLevel > 0 && <li className="chip chip-amber">{user.levelName}</li>}
          {user.email && (
            <li>
              <a className="chip" href={mailTo(user.email)}>
                {user.email}
              </a>
            </li>
          )}
          {user.phone && (
            <li>
              <a className="chip num" href={`tel:${user.phone}`}>
                {user.phone}
              </a>
            </li>
          )}
        </ul>
      </div>
      {(deletes || admin) && (
        <div className="user-actions">
          {gone ? (
            <Button disabled={busy} aria-label={`${t('users.restore')}: ${name}`} onClick={onRestore}>
              {t('users.restore')}
            </Button>
          ) : (
            <>
              {admin && (
                <Button disabled={busy} aria-label={`${t('users.role')}: ${name}`} onClick={onAppoint}>
                  {t('users.role')}
                </Button>
              )}
              {deletes && (
                <Button kind="danger" disabled={busy} aria-label={`${t('users.delete')}: ${name}`} onClick={onDelete}>
                  <Icon name="trash" size={18} />
                </Button>
              )}
            </>
          )}
        </div>
      )}
    </li>
  );
}
