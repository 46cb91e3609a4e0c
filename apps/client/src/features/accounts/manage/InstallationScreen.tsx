import '../accounts.css';
import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from '@heron/contract/accounts/password.ts';
import { type InstallationSettings, settingMethods } from '@heron/contract/accounts/settingMethods.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { usePreferences } from '../../../lib/preferences.ts';
import { proven } from '../../../lib/proof.ts';
import { send } from '../../../lib/server.ts';
import { Button } from '../../../ui/Button.tsx';
import { TextField } from '../../../ui/fields/TextField.tsx';
import { TickField } from '../../../ui/fields/TickField.tsx';
import { Screen } from '../../../ui/Screen.tsx';
import { Skeleton } from '../../../ui/states.tsx';
import { toast } from '../../../ui/toasts.tsx';
import { AccountForm } from '../AccountForm.tsx';
import { explainSignIn } from '../explainSignIn.ts';
import { ManageProblem } from './ManageProblem.tsx';

const settingsKey = ['installation'];
const SWITCHES = [
  'registerByEmail',
  'registerByPhone',
  'registerByName',
  'registerByProvider',
  'loginByPhone',
  'editorsNeedSecondFactor',
  'revealUnknownAccounts',
  'sessionInAddress',
] as const;

/** Shows the settings of the whole installation, for super administrators. */
export function InstallationScreen() {
  const { t } = usePreferences();
  const { data, error, refetch } = useQuery({
    queryKey: settingsKey,
    queryFn: () => send(settingMethods.getSettings, {}),
    staleTime: 0,
  });
  return (
    <Screen title={t('installation.title')} back="/setting-index/">
      <div className="narrow">
        {data ? (
          <Form saved={data} />
        ) : error ? (
          <ManageProblem error={error} onRetry={() => void refetch()} />
        ) : (
          <Skeleton rows={2} height={200} />
        )}
      </div>
    </Screen>
  );
}

function Form({ saved }: { saved: InstallationSettings }) {
  const { t } = usePreferences();
  const queries = useQueryClient();
  // Holds only the fields changed here: the others follow the saved settings, which others may change.
  const [changed, setChanged] = useState<Partial<InstallationSettings>>({});
  const [typed, setTyped] = useState<string | null>(null);
  const chosen = { ...saved, ...changed };
  const minLengthText = typed ?? String(saved.passwordMinLength);
  const minLength = /^\d{1,3}$/.test(minLengthText.trim()) ? Number(minLengthText) : 0;
  const wrong = minLength < MIN_PASSWORD_LENGTH || minLength > MAX_PASSWORD_LENGTH;
  const range = t('installation.range', { min: MIN_PASSWORD_LENGTH, max: MAX_PASSWORD_LENGTH });
  const save = useMutation({
    mutationFn: (sent: Partial<InstallationSettings>) => proven(() => send(settingMethods.setSettings, sent)),
    onSuccess(now, sent) {
      queries.setQueryData(settingsKey, now);
      // Changes made during the request still have to be saved.
      setChanged((later) => without(later, sent));
      setTyped((later) => (later !== null && Number(later) === sent.passwordMinLength ? null : later));
      void queries.invalidateQueries({ queryKey: ['account-rules'] });
      toast(t('installation.saved'));
    },
  });
  return (
    <AccountForm
      problem={explainSignIn(save.error, t)}
      onSubmit={() =>
        !wrong && save.mutate({ ...changed, ...(typed === null ? {} : { passwordMinLength: minLength }) })
      }
    >
      {SWITCHES.map((name) => (
        <TickField
          key={name}
          label={t(`installation.${name}`)}
          hint={t(`installationHint.${name}`)}
          checked={chosen[name]}
          onChange={(on) => setChanged({ ...changed, [name]: on })}
        />
      ))}
      <TextField
        label={t('installation.passwordMinLength')}
        inputMode="numeric"
        autoComplete="off"
        value={minLengthText}
        hint={range}
        fault={wrong ? range : null}
        onChange={setTyped}
      />
      <div className="form-actions">
        <Button kind="primary" type="submit" busy={save.isPending}>
          {t('contact.save')}
        </Button>
      </div>
    </AccountForm>
  );
}

/** Returns the changes without those that were sent with the same value. */
function without(changes: Partial<InstallationSettings>, sent: Partial<InstallationSettings>) {
  const left = Object.entries(changes).filter(([name, value]) => sent[name as keyof typeof sent] !== value);
  return Object.fromEntries(left) as Partial<InstallationSettings>;
}
