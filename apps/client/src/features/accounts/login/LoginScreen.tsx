import { useState } from 'react';
import { useReader } from '../../../lib/reader.ts';
import { useRules } from '../../../lib/rules.ts';
import { Link } from '../../../ui/Link.tsx';
import { Tabs } from '../../../ui/Tabs.tsx';
import { AccountFrame } from '../AccountFrame.tsx';
import { LegalLinks } from '../PrivacyConsent.tsx';
import { takeRecovered } from '../recover/recovery.ts';
import type { SecondStep } from '../secondStep.ts';
import { FastLogin } from './FastLogin.tsx';
import { OtherWays } from './OtherWays.tsx';
import { PasswordLogin } from './PasswordLogin.tsx';
import { SavedAccounts } from './SavedAccounts.tsx';
import { SecondStepForm } from './SecondStepForm.tsx';

/** Every way to log in that this installation, language and device have. @see accounts.md 2, "Login screen" */
export function LoginScreen() {
  const { t, look } = useReader();
  const byPhone = useRules().data?.login_by_phone ?? false;
  const [tab, setTab] = useState<'normal' | 'fast'>('normal');
  const [account, setAccount] = useState(takeRecovered);
  const [remember, setRemember] = useState(false);
  const [step, setStep] = useState<SecondStep | null>(null);
  const shared = { remember, onRemember: setRemember, onSecondStep: setStep };

  if (step) return <SecondStepForm step={step} remember={remember} onLeave={() => setStep(null)} />;
  const normal = <PasswordLogin key={account} account={account} {...shared} />;
  return (
    <AccountFrame
      title={t('accounts.login')}
      text={t('accounts.loginText')}
      below={
        <>
          <p>
            {t('accounts.noAccount')}{' '}
            <Link href={`/user-register/${location.search}`}>{t('accounts.registerNow')}</Link>
          </p>
          <LegalLinks />
        </>
      }
    >
      <SavedAccounts onChoose={setAccount} onSecondStep={setStep} />
      {byPhone && look.language === 'zh-CN' ? (
        <Tabs
          label={t('login.how')}
          value={tab}
          tabs={[
            { value: 'normal', title: t('login.normal') },
            { value: 'fast', title: t('login.fast') },
          ]}
          onChange={setTab}
        >
          {tab === 'normal' ? normal : <FastLogin {...shared} />}
        </Tabs>
      ) : (
        normal
      )}
      <OtherWays remember={remember} onSecondStep={setStep} />
    </AccountFrame>
  );
}
