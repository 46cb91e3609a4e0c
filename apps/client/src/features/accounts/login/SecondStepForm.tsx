import { CODE_LENGTH } from '@heron/contract/accounts/code.ts';
import { secondFactorMethods } from '@heron/contract/accounts/secondFactorMethods.ts';
import { useState } from 'react';
import { usePreferences } from '../../../lib/preferences.ts';
import { send } from '../../../lib/server.ts';
import { Button } from '../../../ui/Button.tsx';
import { AccountForm } from '../AccountForm.tsx';
import { AccountFrame } from '../AccountFrame.tsx';
import { explainSignIn } from '../explainSignIn.ts';
import { askForPasskey, hasPasskeys } from '../passkeys.ts';
import { RecoveryCodeField } from '../RecoveryCodeField.tsx';
import type { SecondStep } from '../secondStep.ts';
import { TotpField } from '../TotpField.tsx';
import { useSignIn } from '../useSignIn.ts';

interface SecondStepFormProps {
  readonly step: SecondStep;
  readonly remember: boolean;
  /** The next address defaults to the requested address. */
  readonly next?: string;
  /** Returns to the first step. */
  readonly onLeave: () => void;
}

/** This is the method of the second step. */
type With = 'totp' | 'recovery';

/** Shows the second step of a sign-in: a passkey, an app code or a recovery code, the easiest available one first. */
export function SecondStepForm({ step, remember, next, onLeave }: SecondStepFormProps) {
  const { t } = usePreferences();
  const app = step.kinds.includes('totp');
  const passkey = hasPasskeys() && step.kinds.includes('passkey');
  const [chosen, setChosen] = useState<With | null>(null);
  // With a passkey alone nothing is typed, unless the user chooses to.
  const kind = chosen ?? (app ? 'totp' : passkey ? null : 'recovery');
  const [typed, setTyped] = useState('');
  const [missing, setMissing] = useState(false);
  const signInOptions = { remember, ...(next === undefined ? {} : { next }) };
  const byCode = useSignIn(
    () =>
      send(secondFactorMethods.secondFactor, {
        ticket: step.ticket,
        session: 'cookie',
        ...(kind === 'totp' ? { code: typed } : { recoveryCode: typed.trim() }),
      }),
    signInOptions,
  );
  const byKey = useSignIn(
    async () =>
      send(secondFactorMethods.secondFactor, {
        ticket: step.ticket,
        session: 'cookie',
        passkey: await askForPasskey(),
      }),
    signInOptions,
  );
  const problem = explainSignIn(byCode.error ?? byKey.error, t);

  function choose(next: With) {
    setChosen(next);
    setTyped('');
    setMissing(false);
    byCode.reset();
    byKey.reset();
  }

  function submit() {
    byKey.reset();
    if (kind === null) return;
    const enough = kind === 'totp' ? typed.length === CODE_LENGTH : typed.trim() !== '';
    setMissing(!enough);
    if (enough) byCode.mutate();
  }

  function proveByKey() {
    byCode.reset();
    byKey.mutate();
  }

  return (
    <AccountFrame title={t('secondStep.title')} text={t('secondStep.text')}>
      <AccountForm problem={problem} onSubmit={submit}>
        {passkey && (
          <Button kind="primary" icon="key" autoFocus busy={byKey.isPending} className="wide" onClick={proveByKey}>
            {t('secondStep.passkey')}
          </Button>
        )}
        {passkey && kind !== null && <p className="account-or">{t('login.or')}</p>}
        {kind === 'totp' && (
          <TotpField
            // Where a passkey is possible its button has the focus, unless the user chose this field.
            autoFocus={!passkey || chosen !== null}
            value={typed}
            hint={t('secondStep.codeHint')}
            fault={missing ? t('secondStep.codeMissing') : null}
            onChange={setTyped}
          />
        )}
        {kind === 'recovery' && <RecoveryCodeField autoFocus value={typed} isMissing={missing} onChange={setTyped} />}
        {kind !== null && (
          <Button kind={passkey ? 'plain' : 'primary'} type="submit" busy={byCode.isPending} className="wide">
            {t('accounts.login')}
          </Button>
        )}
      </AccountForm>
      <div className="account-ways">
        {app && kind === 'recovery' && (
          <Button kind="quiet" onClick={() => choose('totp')}>
            {t('secondStep.useCode')}
          </Button>
        )}
        {kind !== 'recovery' && (
          <Button kind="quiet" onClick={() => choose('recovery')}>
            {t('secondStep.useRecovery')}
          </Button>
        )}
        <Button kind="quiet" onClick={onLeave}>
          {t('app.back')}
        </Button>
      </div>
    </AccountFrame>
  );
}
