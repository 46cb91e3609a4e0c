import '../accounts.css';
import type { CurrentUser } from '@heron/contract/accounts/entities.ts';
import { peopleMethods } from '@heron/contract/accounts/peopleMethods.ts';
import { isBirthday, MAX_NICK_NAME_LENGTH, parseNickName } from '@heron/contract/accounts/profile.ts';
import { errorText } from '@heron/contract/http/errors.ts';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { goBack } from '../../../lib/navigation.ts';
import { usePreferences } from '../../../lib/preferences.ts';
import { send } from '../../../lib/server.ts';
import { useMember } from '../../../lib/session.ts';
import { Button } from '../../../ui/Button.tsx';
import { explain } from '../../../ui/explain.ts';
import { Choice } from '../../../ui/fields/Choice.tsx';
import { TextField } from '../../../ui/fields/TextField.tsx';
import { Screen } from '../../../ui/Screen.tsx';
import { toast } from '../../../ui/toasts.tsx';
import { AccountForm } from '../AccountForm.tsx';
import { updateSession } from '../beginSession.ts';

/** The index is the stored number. */
const SEXES = ['secret', 'male', 'female'] as const;

/** Edits the part of the account that other people see. */
export function ProfileScreen() {
  const { t } = usePreferences();
  const user = useMember();
  if (!user) return null;
  return (
    <Screen title={t('profile.title')} back="/setting-index/">
      <div className="narrow">
        <ProfileForm user={user} />
      </div>
    </Screen>
  );
}

function ProfileForm({ user }: { user: CurrentUser }) {
  const { t, display } = usePreferences();
  const chinese = display.language === 'zh-CN';
  const known = {
    nickName: user.nickName,
    sex: SEXES[user.sex] ?? 'secret',
    birthday: user.birthday ?? '',
    province: user.province,
    city: user.city,
    description: user.description,
  };
  // Holds only fields changed here. The others follow the account, which may at first come from the offline cache.
  const [changed, setChanged] = useState<Partial<typeof known>>({});
  const typed = { ...known, ...changed };
  const [faults, setFaults] = useState<{ nickName?: string; birthday?: string }>({});
  const save = useMutation({
    mutationFn: () => {
      // The index is one of three, since `typed.sex` is an element of the list.
      const sex = SEXES.indexOf(typed.sex) as 0 | 1 | 2;
      return send(peopleMethods.updateMemberInformation, { ...typed, sex });
    },
    onSuccess({ userInfo }) {
      updateSession(userInfo);
      toast(t('profile.saved'));
      goBack('/setting-index/');
    },
  });
  function change(part: Partial<typeof typed>) {
    setChanged({ ...changed, ...part });
    setFaults({});
  }

  function submit() {
    const language = chinese ? 'zh' : 'en';
    const today = new Date().toISOString().slice(0, 10);
    const found = {
      ...(parseNickName(typed.nickName) === null ? { nickName: errorText('nick_name_invalid', language) } : {}),
      ...(typed.birthday === '' || isBirthday(typed.birthday, today)
        ? {}
        : { birthday: errorText('birthday_invalid', language) }),
    };
    setFaults(found);
    if (Object.keys(found).length === 0) save.mutate();
  }

  return (
    <AccountForm problem={save.error ? explain(save.error, t) : null} onSubmit={submit}>
      <TextField
        label={t('profile.nickName')}
        name="nickname"
        autoComplete="nickname"
        value={typed.nickName}
        unit={`${[...typed.nickName].length}/${MAX_NICK_NAME_LENGTH}`}
        fault={faults.nickName}
        onChange={(nickName) => change({ nickName })}
      />
      <TextField
        label={t('profile.description')}
        autoComplete="off"
        maxLength={200}
        value={typed.description}
        onChange={(description) => change({ description })}
      />
      <details className="profile-more" open={faults.birthday !== undefined || undefined}>
        <summary>{t('profile.more')}</summary>
        <Choice
          label={t('profile.sex')}
          value={typed.sex}
          choices={SEXES.map((value) => ({ value, title: t(`sex.${value}`) }))}
          onChange={(sex) => change({ sex })}
        />
        <TextField
          label={t('profile.birthday')}
          name="bday"
          type="date"
          autoComplete="bday"
          min="1900-01-01"
          value={typed.birthday}
          fault={faults.birthday}
          onChange={(birthday) => change({ birthday })}
        />
        {chinese && (
          <div className="form-grid">
            <TextField
              label={t('profile.province')}
              autoComplete="address-level1"
              maxLength={40}
              value={typed.province}
              onChange={(province) => change({ province })}
            />
            <TextField
              label={t('profile.city')}
              autoComplete="address-level2"
              maxLength={40}
              value={typed.city}
              onChange={(city) => change({ city })}
            />
          </div>
        )}
      </details>
      <div className="form-actions">
        <Button kind="primary" type="submit" busy={save.isPending}>
          {t('contact.save')}
        </Button>
      </div>
    </AccountForm>
  );
}
