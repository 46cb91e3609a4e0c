import type { ListedUser } from '@heron/contract/accounts/peopleMethods.ts';
import { roleOf } from '@heron/contract/accounts/roles.ts';
import { type FormEvent, useState } from 'react';
import { usePreferences } from '../../../lib/preferences.ts';
import { Button } from '../../../ui/Button.tsx';
import { Overlay } from '../../../ui/Overlay.tsx';
import { shownName } from '../labels.ts';

/** Roles that can be given. Older clients know another one, which grants nothing; who has it keeps it. */
const GROUPS: readonly (number | null)[] = [1, 2, 3, null];

interface RoleSheetProps {
  readonly user: ListedUser;
  readonly onClose: () => void;
  readonly onRole: (groupId: number | null) => void;
}

/** Changes the role of a user. Only super administrators see it. */
export function RoleSheet({ user, onClose, onRole }: RoleSheetProps) {
  const { t } = usePreferences();
  const [group, setGroup] = useState(user.groupId);

  function submit(event: FormEvent) {
    event.preventDefault();
    if (group === user.groupId) onClose();
    else onRole(group);
  }

  return (
    <Overlay title={t('users.roleOf', { name: shownName(user) })} onClose={onClose}>
      <form onSubmit={submit}>
        <fieldset className="options">
          <legend className="overlay-text">{t('users.roleText')}</legend>
          {(GROUPS.includes(user.groupId) ? GROUPS : [...GROUPS, user.groupId]).map((value) => (
            <label key={value ?? 'member'} className="option">
              <input type="radio" name="role" checked={value === group} onChange={() => setGroup(value)} />
              <span>{t(`role.${roleOf(value)}`)}</span>
            </label>
          ))}
        </fieldset>
        <div className="overlay-actions">
          <Button onClick={onClose}>{t('app.cancel')}</Button>
          <Button kind="primary" type="submit">
            {t('users.setRole')}
          </Button>
        </div>
      </form>
    </Overlay>
  );
}
