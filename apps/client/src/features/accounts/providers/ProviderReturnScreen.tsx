import { identityMethods, type Provider } from '@heron/contract/accounts/identityMethods.ts';
import { providerMethods } from '@heron/contract/accounts/providerMethods.ts';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { go } from '../../../lib/navigation.ts';
import { usePreferences } from '../../../lib/preferences.ts';
import { proven } from '../../../lib/proof.ts';
import { send } from '../../../lib/server.ts';
import { Link } from '../../../ui/Link.tsx';
import { Empty, Skeleton } from '../../../ui/states.tsx';
import { toast } from '../../../ui/toasts.tsx';
import { AccountFrame } from '../AccountFrame.tsx';
import { explainSignIn } from '../explainSignIn.ts';
import { SecondStepForm } from '../login/SecondStepForm.tsx';
import type { SecondStep } from '../secondStep.ts';
import { useSignIn } from '../useSignIn.ts';
import { providerAnswer } from './providerAnswer.ts';
import { consumeProviderVisit, invitationOf } from './providerVisit.ts';

interface ReturnProps {
  /** This is the opened address, with query and fragment. */
  readonly url: string;
}

/** Receives the browser from a provider, and finishes the sign-in or the link that was started. */
function ProviderReturnScreen({ provider, url }: ReturnProps & { provider: Provider }) {
  const { t } = usePreferences();
  const [visit] = useState(consumeProviderVisit);
  const [answer] = useState(() => providerAnswer(url.split(provider === 'wechat' ? '?' : '#')[1] ?? ''));
  const [step, setStep] = useState<SecondStep | null>(null);
  const begun = useRef(false);
  const { code, state, name } = answer;
  const signIn = useSignIn(
    () =>
      provider === 'wechat'
        ? send(providerMethods.wechatLogin, { code, state, session: 'cookie', ...invitationOf(visit) })
        : send(providerMethods.snsLogin, {
            ...{ provider: 'apple', code, nonce: state, nickName: name, session: 'cookie' },
            ...invitationOf(visit),
          }),
    { by: provider, next: visit.next, remember: visit.remember, onSecondStep: setStep },
  );
  const link = useMutation({
    mutationFn: () =>
      // The server requires the proof before it uses the code.
      proven(() =>
        send(
          identityMethods.linkIdentity,
          provider === 'wechat' ? { provider, code, state } : { provider, code, nonce: state },
        ),
      ),
    onSuccess() {
      toast(t('linked.done'));
      go(visit.next, { root: true });
    },
  });

  useEffect(() => {
    // The code is valid once.
    if (begun.current || code === '') return;
    begun.current = true;
    if (visit.what === 'link') link.mutate();
    else signIn.mutate();
  }, [code, visit, link.mutate, signIn.mutate]);

  if (step) {
    return (
      <SecondStepForm
        step={step}
        remember={visit.remember}
        next={visit.next}
        onLeave={() => go(visit.next, { root: true })}
      />
    );
  }
  const error = signIn.error ?? link.error;
  // An error without a text means that the user cancelled.
  const problem = code === '' || error ? (explainSignIn(error, t) ?? t('provider.cancelled')) : null;
  return (
    <AccountFrame title={t(`provider.${provider}`)} text={t('accounts.loginText')}>
      {problem ? (
        <Empty icon="alert" title={problem}>
          <Link className="btn btn-primary" href={visit.next} root>
            {t('app.back')}
          </Link>
        </Empty>
      ) : (
        <Skeleton rows={1} height={160} />
      )}
    </AccountFrame>
  );
}

export const WechatReturnScreen = (props: ReturnProps) => <ProviderReturnScreen provider="wechat" {...props} />;
export const AppleReturnScreen = (props: ReturnProps) => <ProviderReturnScreen provider="apple" {...props} />;
