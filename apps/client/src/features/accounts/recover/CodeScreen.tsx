import { recoveryMethods } from '@heron/contract/accounts/recoveryMethods.ts';
import { useRef, useState } from 'react';
import { go } from '../../../lib/navigation.ts';
import { usePreferences } from '../../../lib/preferences.ts';
import { send } from '../../../lib/server.ts';
import { Button } from '../../../ui/Button.tsx';
import { AccountForm } from '../AccountForm.tsx';
import { AccountFrame } from '../AccountFrame.tsx';
import { accountInAddress } from '../accountInAddress.ts';
import { CodeField, NO_CODE, type TypedCode } from '../codes/CodeField.tsx';
import { TargetField } from '../codes/TargetField.tsx';
import type { TargetKind } from '../codes/target.ts';
import { BackToLogin } from './ForgotScreen.tsx';
import { currentRecovery, setRecovery } from './recovery.ts';
import { recoveryTarget } from './recoveryTarget.ts';

/** Shows the second step of recovery: the code sent to the phone or the e-mail address. */
function CodeScreen({ kind }: { kind: TargetKind }) {
  const { t, language } = usePreferences();
  const [recovery] = useState(currentRecovery);
  const [typed, setTyped] = useState(() => (recovery?.kind === kind ? recovery.account : accountInAddress('initUser')));
  const [code, setCode] = useState<TypedCode>(NO_CODE);
  const [fault, setFault] = useState<string | null>(null);
  /** Stores the tickets of addresses with a right code: a check may finish when another address is on screen. */
  const tickets = useRef(new Map<string, string>());
  const { target, fault: wrong } = recoveryTarget(kind, typed, language);
  const type = kind === 'email' ? 'email' : 'sms';

  function submit() {
    const ticket = tickets.current.get(target ?? '');
    if (code.is !== 'right' || target === null || ticket === undefined) return;
    setRecovery({ kind, account: target, ticket });
    go(`/user-forget-password-reset/${location.search}`);
  }

  return (
    <AccountFrame
      title={t('recover.title')}
      text={t(kind === 'email' ? 'recover.emailText' : 'recover.phoneText')}
      below={<BackToLogin />}
    >
      <AccountForm problem={null} onSubmit={submit}>
        <TargetField
          kind={kind}
          value={typed}
          fault={fault}
          onChange={(value) => {
            setTyped(value);
            setCode(NO_CODE);
            setFault(null);
          }}
        />
        <CodeField
          purpose="recover"
          target={target}
          onNoTarget={() => setFault(wrong)}
          request={(account) => send(recoveryMethods.sendFindPasswordCode, { recipient: account, type })}
          check={async (account, digits) => {
            const { ticket } = await send(recoveryMethods.checkFindPasswordCode, {
              type,
              recipient: account,
              code: digits,
            });
            tickets.current.set(account, ticket);
          }}
          code={code}
          onCode={setCode}
        />
        <p className="field-note">{t('recover.silence')}</p>
        <Button kind="primary" type="submit" disabled={code.is !== 'right'} className="wide">
          {t('recover.next')}
        </Button>
      </AccountForm>
    </AccountFrame>
  );
}

export const PhoneCodeScreen = () => <CodeScreen kind="phone" />;
export const EmailCodeScreen = () => <CodeScreen kind="email" />;
