import { useMutation } from '@tanstack/react-query';
import { usePreferences } from '../../../lib/preferences.ts';
import { forgetAccount, type SavedAccount, useSavedAccounts } from '../../../lib/savedAccounts.ts';
import { explain } from '../../../ui/explain.ts';
import { Icon } from '../../../ui/Icon.tsx';
import { confirm } from '../../../ui/toasts.tsx';
import { beginSession } from '../beginSession.ts';
import { isDeviceUnknown, logInDevice } from '../device.ts';
import { type SecondStep, secondStepOf } from '../secondStep.ts';

const LAST_BY = { passkey: 'saved.lastByPasskey', wechat: 'saved.lastByWechat', apple: 'saved.lastByApple' } as const;

interface SavedAccountsProps {
  /** Fills the account into the sign-in form of its method. */
  readonly onChoose: (account: SavedAccount) => void;
  readonly onSecondStep: (step: SecondStep) => void;
}

/**
 * Lists accounts that were used on this device. An account with a device token signs in with one tap.
 */
export function SavedAccounts({ onChoose, onSecondStep }: SavedAccountsProps) {
  const { t } = usePreferences();
  const accounts = useSavedAccounts();
  const signIn = useMutation({
    mutationFn: logInDevice,
    onSuccess(session, account) {
      if (session) beginSession(session, { basepass: null });
      else onChoose(account);
    },
    onError(error, account) {
      const step = secondStepOf(error);
      if (step) onSecondStep(step);
      else if (isDeviceUnknown(error)) onChoose(account);
    },
  });
  if (accounts.length === 0) return null;

  async function forget({ uid, nickname }: SavedAccount) {
    const agreed = await confirm({
      title: t('saved.forgetTitle', { name: nickname }),
      text: t('saved.forgetText'),
      confirm: t('saved.forget'),
    });
    if (agreed) forgetAccount(uid);
  }

  return (
    <section className="card saved" aria-label={t('saved.title')}>
      <ul className="rows">
        {accounts.map((account) => (
          <li key={account.uid} className="saved-row">
            <button
              type="button"
              className="saved-sign-in"
              disabled={signIn.isPending}
              onClick={() => (account.basepass === null ? onChoose(account) : signIn.mutate(account))}
            >
              <span className="avatar" aria-hidden="true">
                {[...account.nickname][0]?.toUpperCase()}
              </span>
              <span className="saved-name">
                {account.nickname}
                <span className="row-note">
                  {[contactOf(account), t(signInHint(account))].filter(Boolean).join(' · ')}
                </span>
              </span>
            </button>
            <button
              type="button"
              className="back"
              aria-label={t('saved.forgetName', { name: account.nickname })}
              onClick={() => void forget(account)}
            >
              <Icon name="close" size={18} />
            </button>
          </li>
        ))}
      </ul>
      {signIn.error && !secondStepOf(signIn.error) && (
        <p className="callout callout-problem" role="alert">
          {explain(signIn.error, t)}
        </p>
      )}
    </section>
  );
}

/**
 * Returns the masked address or number that distinguishes accounts with similar names; null where it is already the
 * name.
 */
function contactOf({ email, tel, nickname }: SavedAccount): string | null {
  return [email, tel].find((contact) => contact !== undefined && contact !== nickname) ?? null;
}

/**
 * Returns the text key of the next sign-in method. An account that uses a passkey or a provider may have no password.
 */
function signInHint({ basepass, logintype, codePhone }: SavedAccount) {
  if (basepass !== null) return 'saved.byDevice';
  if (logintype === 'passkey' || logintype === 'wechat' || logintype === 'apple') return LAST_BY[logintype];
  return codePhone === undefined ? 'saved.byPassword' : 'saved.byCode';
}
