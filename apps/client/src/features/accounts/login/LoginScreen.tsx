import { useState } from 'react';
import { usePreferences } from '../../../lib/preferences.ts';
import { useRules } from '../../../lib/rules.ts';
import type { SavedAccount } from '../../../lib/savedAccounts.ts';
import { Link } from '../../../ui/Link.tsx';
import { Tabs } from '../../../ui/Tabs.tsx';
import { AccountFrame } from '../AccountFrame.tsx';
import { accountInAddress } from '../accountInAddress.ts';
import { LegalLinks, useConsent } from '../PrivacyConsent.tsx';
import { consumeRecovered } from '../recover/recovery.ts';
import { registerTypes } from '../register/registerTypes.ts';
import type { SecondStep } from '../secondStep.ts';
import { FastLogin } from './FastLogin.tsx';
import { OtherSignInMethods } from './OtherSignInMethods.tsx';
import { PasswordLogin } from './PasswordLogin.tsx';
import { SavedAccounts } from './SavedAccounts.tsx';
import { SecondStepForm } from './SecondStepForm.tsx';

/** The forms start with this account. */
interface Chosen {
  readonly account: string;
  readonly codePhone?: string | undefined;
  /** Counts picks from the list and cancelled second steps. Each one resets the form and moves the focus into it. */
  readonly times: number;
}

/** Shows every sign-in method for this installation, language and device. */
export function LoginScreen() {
  const { t, display } = usePreferences();
  const rules = useRules().data;
  const byPhone = rules?.loginByPhone ?? false;
  const closed = rules !== undefined && registerTypes(rules, display.language).length === 0;
  const [tab, setTab] = useState<'normal' | 'fast'>('normal');
  const [chosen, setChosen] = useState<Chosen>(() => ({
    account: consumeRecovered() || accountInAddress('username'),
    times: 0,
  }));
  const [remember, setRemember] = useState(false);
  const [step, setStep] = useState<SecondStep | null>(null);
  const consent = useConsent();
  const shared = { remember, onRemember: setRemember, onSecondStep: setStep };

  function leaveStep() {
    setStep(null);
    setChosen((before) => ({ ...before, times: before.times + 1 }));
  }

  function choose({ name, codePhone }: SavedAccount) {
    setChosen(({ times }) => ({ account: name, codePhone, times: times + 1 }));
    setTab(codePhone === undefined ? 'normal' : 'fast');
  }

  if (step) return <SecondStepForm step={step} remember={remember} onLeave={leaveStep} />;
  // An account that signed up by code and has no password has no other way.
  const fast = byPhone && (display.language === 'zh-CN' || chosen.codePhone !== undefined);
  const shown = fast ? tab : 'normal';
  return (
    <AccountFrame
      title={t('accounts.login')}
      text={t('accounts.loginText')}
      below={
        <>
          {!closed && (
            <p>
              {t(rules?.firstAccount ? 'accounts.noneYet' : 'accounts.noAccount')}{' '}
              <Link href="/user-register/" keepsQuery>
                {t(rules?.firstAccount ? 'accounts.createFirst' : 'accounts.registerNow')}
              </Link>
            </p>
          )}
          <LegalLinks />
        </>
      }
    >
      <SavedAccounts onChoose={choose} onSecondStep={setStep} />
      <Tabs
        label={t('login.how')}
        value={shown}
        tabs={[
          { value: 'normal', title: t('login.normal') },
          // The rules may arrive while the user is typing: the form must stay.
          ...(fast ? [{ value: 'fast', title: t('login.fast') } as const] : []),
        ]}
        onChange={setTab}
      >
        {shown === 'normal' ? (
          <PasswordLogin key={chosen.times} account={chosen.account} chosen={chosen.times > 0} {...shared} />
        ) : (
          <FastLogin key={chosen.times} phone={chosen.codePhone} consent={consent} {...shared} />
        )}
      </Tabs>
      <OtherSignInMethods
        consent={consent}
        asksConsent={shown === 'normal'}
        remember={remember}
        onSecondStep={setStep}
      />
    </AccountFrame>
  );
}
