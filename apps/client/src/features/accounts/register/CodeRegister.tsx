import type { CodeSent } from '@heron/contract/accounts/code.ts';
import type { NewSession } from '@heron/contract/accounts/entities.ts';
import { normalisePassword, passwordLength } from '@heron/contract/accounts/password.ts';
import { errorText } from '@heron/contract/http/errors.ts';
import { type ReactNode, useState } from 'react';
import { usePreferences } from '../../../lib/preferences.ts';
import { useMinPasswordLength } from '../../../lib/rules.ts';
import { Button } from '../../../ui/Button.tsx';
import { explain } from '../../../ui/explain.ts';
import { PasswordField } from '../../../ui/fields/PasswordField.tsx';
import { AccountForm } from '../AccountForm.tsx';
import { CodeField, NO_CODE, type TypedCode } from '../codes/CodeField.tsx';
import { sentCode, storeSentCode } from '../codes/countdown.ts';
import { TargetField } from '../codes/TargetField.tsx';
import { targetFault } from '../codes/target.ts';
import { faultField } from '../faultField.ts';
import { useSignIn } from '../useSignIn.ts';

interface CodeRegisterProps {
  readonly kind: 'email' | 'phone';
  readonly request: (target: string) => Promise<CodeSent>;
  readonly check: (target: string, code: string) => Promise<unknown>;
  readonly register: (account: { target: string; code: string; password: string }) => Promise<NewSession>;
  readonly children?: ReactNode;
  readonly mayRegister: () => boolean;
}

/** Signs up with an address that receives a code. The button is enabled once the code is right. */
export function CodeRegister({ kind, request, check, register, children, mayRegister }: CodeRegisterProps) {
  const { t, language } = usePreferences();
  const minLength = useMinPasswordLength();
  const purpose = kind === 'email' ? 'register-email' : 'register-phone';
  const [typed, setTyped] = useState(() => sentCode(purpose)?.target ?? '');
  const [code, setCode] = useState<TypedCode>(NO_CODE);
  const [password, setPassword] = useState('');
  const [faults, setFaults] = useState<{ target?: string | null; password?: string | null }>({});
  const { target, fault } = targetFault(kind, typed, language);
  const create = useSignIn(() => register({ target: target ?? '', code: code.digits, password }), { by: 'password' });
  const about = faultField(create.error, { email: 'target', phone: 'target', password: 'password', code: 'code' });

  function submit() {
    create.reset();
    const short =
      password === ''
        ? t('accounts.incomplete')
        : passwordLength(normalisePassword(password)) < minLength
          ? errorText('password_too_short', language, { least: minLength })
          : null;
    setFaults({ target: fault, password: short });
    if (!mayRegister() || fault || short) return;
    create.mutate(undefined, { onSuccess: () => storeSentCode(purpose, null) });
  }

  const problem = create.error ? explain(create.error, t) : null;
  return (
    <AccountForm problem={about ? null : problem} onSubmit={submit}>
      <TargetField
        kind={kind}
        value={typed}
        fault={faults.target ?? (about === 'target' ? problem : null)}
        onChange={(value) => {
          setTyped(value);
          setCode(NO_CODE);
          setFaults({});
        }}
      />
      <CodeField
        purpose={purpose}
        target={target}
        onNoTarget={() => setFaults({ target: fault })}
        request={request}
        check={check}
        code={code}
        onCode={setCode}
        fault={about === 'code' ? problem : null}
      />
      <PasswordField
        label={t('accounts.password')}
        name="new-password"
        autoComplete="new-password"
        value={password}
        hint={t('accounts.passwordHint', { count: minLength })}
        fault={faults.password ?? (about === 'password' ? problem : null)}
        onChange={setPassword}
      />
      {children}
      <Button kind="primary" type="submit" busy={create.isPending} disabled={code.is !== 'right'} className="wide">
        {t('accounts.register')}
      </Button>
    </AccountForm>
  );
}
