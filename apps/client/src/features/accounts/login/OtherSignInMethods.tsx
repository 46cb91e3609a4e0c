import { currentPlatform, isGooglePlayBuild } from '../../../lib/platform.ts';
import { usePreferences } from '../../../lib/preferences.ts';
import { useRules } from '../../../lib/rules.ts';
import { Button } from '../../../ui/Button.tsx';
import { explainSignIn } from '../explainSignIn.ts';
import type { Consent } from '../PrivacyConsent.tsx';
import { askForPasskey, hasPasskeys, signInByPasskey } from '../passkeys.ts';
import { offeredProviders } from '../providers/offeredProviders.ts';
import { ProviderButtons } from '../providers/ProviderButtons.tsx';
import type { SecondStep } from '../secondStep.ts';
import { useSignIn } from '../useSignIn.ts';

interface OtherSignInMethodsProps {
  readonly consent: Consent;
  /** No other form on the screen shows the consent. */
  readonly asksConsent: boolean;
  readonly remember: boolean;
  readonly onSecondStep: (step: SecondStep) => void;
}

/** Shows the sign-in methods without typing: a passkey, and the providers of this installation, language and device. */
export function OtherSignInMethods({ consent, asksConsent, remember, onSecondStep }: OtherSignInMethodsProps) {
  const { t, display } = usePreferences();
  const rules = useRules().data;
  const byPasskey = useSignIn(async () => signInByPasskey(await askForPasskey()), {
    by: 'passkey',
    remember,
    onSecondStep,
  });
  const problem = explainSignIn(byPasskey.error, t);
  const place = { language: display.language, platform: currentPlatform(), googlePlay: isGooglePlayBuild };
  const providers = rules ? offeredProviders(rules, place) : [];
  const passkeys = hasPasskeys();
  if (!passkeys && providers.length === 0) return null;
  return (
    <div className="account-ways">
      <p className="account-or">{t('login.or')}</p>
      {passkeys && (
        <Button icon="key" className="wide" busy={byPasskey.isPending} onClick={() => byPasskey.mutate()}>
          {t('login.passkey')}
        </Button>
      )}
      {problem && (
        <p className="callout callout-problem" role="alert">
          {problem}
        </p>
      )}
      {providers.length > 0 && (
        <>
          <ProviderButtons providers={providers} remember={remember} mayLogIn={consent.isGiven} />
          {asksConsent && consent.field}
        </>
      )}
    </div>
  );
}
