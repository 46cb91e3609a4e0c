import { registrationMethods } from '@heron/contract/accounts/registrationMethods.ts';
import { useState } from 'react';
import { usePreferences } from '../../../lib/preferences.ts';
import { useRules } from '../../../lib/rules.ts';
import { send } from '../../../lib/server.ts';
import { Button } from '../../../ui/Button.tsx';
import { TickField } from '../../../ui/fields/TickField.tsx';
import { AccountForm } from '../AccountForm.tsx';
import { CodeField, NO_CODE, type TypedCode } from '../codes/CodeField.tsx';
import { sentCode, storeSentCode } from '../codes/countdown.ts';
import { TargetField } from '../codes/TargetField.tsx';
import { targetFault } from '../codes/target.ts';
import { explainSignIn } from '../explainSignIn.ts';
import { faultField } from '../faultField.ts';
import type { Consent } from '../PrivacyConsent.tsx';
import { referrerUid } from '../register/referrerUid.ts';
import type { SecondStep } from '../secondStep.ts';
import { useSignIn } from '../useSignIn.ts';

interface FastLoginProps {
  /** This is the phone number of the saved account that the user picked, so that only the code is missing. */
  readonly phone: string | undefined;
  readonly consent: Consent;
  readonly remember: boolean;
  readonly onRemember: (remember: boolean) => void;
  readonly onSecondStep: (step: SecondStep) => void;
}

/**
 * Signs in by phone and code; registers an unknown number. The button is enabled once the code is right.
 */
export function FastLogin({ phone: chosen, consent, remember, onRemember, onSecondStep }: FastLoginProps) {
  const { t, language } = usePreferences();
  const rules = useRules().data;
  const [typed, setTyped] = useState(() => chosen ?? sentCode('login')?.target ?? '');
  const [code, setCode] = useState<TypedCode>(NO_CODE);
  const [fault, setFault] = useState<string | null>(null);
  const phone = targetFault('phone', typed, language);
  const login = useSignIn(
    () =>
      send(registrationMethods.mobileLogin, {
        mobile: phone.target ?? '',
        smsCaptcha: code.digits,
        session: 'cookie',
        ...referrerUid(),
      }),
    { by: 'code', remember, onSecondStep },
  );
  const about = faultField(login.error, { phone: 'phone', code: 'code' });
  const problem = explainSignIn(login.error, t);

  function submit() {
    login.reset();
    setFault(phone.fault);
    if (consent.isGiven() && !phone.fault) login.mutate(undefined, { onSuccess: () => storeSentCode('login', null) });
  }

  return (
    <AccountForm problem={about ? null : problem} onSubmit={submit}>
      <TargetField
        kind="phone"
        autoFocus={chosen !== undefined}
        value={typed}
        fault={fault ?? (about === 'phone' ? problem : null)}
        onChange={(value) => {
          setTyped(value);
          setCode(NO_CODE);
          setFault(null);
        }}
      />
      <CodeField
        purpose="login"
        target={phone.target}
        onNoTarget={() => setFault(phone.fault)}
        request={(mobile) => send(registrationMethods.sendMobileCode, { mobile })}
        check={(mobile, digits) => send(registrationMethods.checkRegisterMobileCode, { mobile, code: digits })}
        code={code}
        onCode={setCode}
        fault={about === 'code' ? problem : null}
      />
      {rules?.registerByPhone && <p className="field-note">{t('login.fastNote')}</p>}
      {consent.field}
      <TickField label={t('login.remember')} checked={remember} onChange={onRemember} />
      <Button kind="primary" type="submit" busy={login.isPending} disabled={code.is !== 'right'} className="wide">
        {t('accounts.login')}
      </Button>
    </AccountForm>
  );
}
