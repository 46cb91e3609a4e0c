import { registrationMethods } from '@heron/contract/accounts/registrationMethods.ts';
import { useState } from 'react';
import { usePreferences } from '../../../lib/preferences.ts';
import { useRules } from '../../../lib/rules.ts';
import { send } from '../../../lib/server.ts';
import { Link } from '../../../ui/Link.tsx';
import { Empty, Problem, Skeleton } from '../../../ui/states.tsx';
import { Tabs } from '../../../ui/Tabs.tsx';
import { toast } from '../../../ui/toasts.tsx';
import { AccountFrame } from '../AccountFrame.tsx';
import { LegalLinks, useConsent } from '../PrivacyConsent.tsx';
import { CodeRegister } from './CodeRegister.tsx';
import { NewAccountForm } from './NewAccountForm.tsx';
import { referrerUid } from './referrerUid.ts';
import { type RegisterType, registerTypes } from './registerTypes.ts';

/** Signs up by e-mail, phone or name, as the installation allows. */
export function RegisterScreen() {
  const { t, display } = usePreferences();
  const { data: rules, error, refetch } = useRules();
  const consent = useConsent();
  const [chosen, setChosen] = useState<RegisterType | null>(null);
  const types = rules ? registerTypes(rules, display.language) : [];
  const type = chosen !== null && types.includes(chosen) ? chosen : types[0];
  // Another language or newer rules may change the order: the form on screen stays while it is allowed.
  if (type !== undefined && type !== chosen) setChosen(type);
  const first = rules?.firstAccount === true;
  const extra = { mayRegister: consent.isGiven, children: consent.field };
  const forms = {
    email: () => (
      <CodeRegister
        key="email"
        kind="email"
        request={(email) => send(registrationMethods.sendRegisterEmailCode, { email })}
        check={(email, code) => send(registrationMethods.checkRegisterEmailCode, { email, code })}
        register={({ target, code, password }) =>
          send(registrationMethods.emailRegister, {
            email: target,
            emailCode: code,
            password,
            session: 'cookie',
            ...referrerUid(),
          })
        }
        {...extra}
      />
    ),
    phone: () => (
      <CodeRegister
        key="phone"
        kind="phone"
        request={(mobile) => send(registrationMethods.sendRegisterMobileCode, { mobile })}
        check={(mobile, code) => send(registrationMethods.checkRegisterMobileCode, { mobile, code })}
        register={({ target, code, password }) =>
          send(registrationMethods.mobileRegister, {
            mobile: target,
            mobileCode: code,
            password,
            session: 'cookie',
            ...referrerUid(),
          })
        }
        {...extra}
      />
    ),
    name: () => (
      <NewAccountForm
        button={t('accounts.register')}
        register={async (account) => {
          const method = registrationMethods.usernameRegister;
          const session = await send(method, { ...account, session: 'cookie', ...referrerUid() });
          if (session.userInfo.role === 'super_administrator') toast(t('register.administrator'));
          return session;
        }}
        {...extra}
      />
    ),
  };
  return (
    <AccountFrame
      title={t('accounts.register')}
      text={t(first ? 'register.firstText' : 'accounts.registerText')}
      below={
        <>
          <p>
            {t('accounts.haveAccount')}{' '}
            <Link href="/user-login/" keepsQuery>
              {t('accounts.login')}
            </Link>
          </p>
          <LegalLinks />
        </>
      }
    >
      {rules === undefined ? (
        error ? (
          <Problem error={error} onRetry={() => void refetch()} />
        ) : (
          <Skeleton rows={1} height={320} />
        )
      ) : type === undefined ? (
        <Empty icon="info" title={t('register.closedTitle')} text={t('register.closedText')} />
      ) : (
        <Tabs
          label={t('register.by')}
          value={type}
          tabs={types.map((value) => ({ value, title: t(`registerBy.${value}`) }))}
          onChange={setChosen}
        >
          {forms[type]()}
        </Tabs>
      )}
    </AccountFrame>
  );
}
