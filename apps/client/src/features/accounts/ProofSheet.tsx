import './accounts.css';
import { CODE_LENGTH } from '@heron/contract/accounts/code.ts';
import { secondFactorMethods } from '@heron/contract/accounts/secondFactorMethods.ts';
import { sessionMethods } from '@heron/contract/accounts/sessionMethods.ts';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useEffect, useState } from 'react';
import { usePreferences } from '../../lib/preferences.ts';
import { send } from '../../lib/server.ts';
import { useMember } from '../../lib/session.ts';
import { Button } from '../../ui/Button.tsx';
import { PasswordField } from '../../ui/fields/PasswordField.tsx';
import { Overlay } from '../../ui/Overlay.tsx';
import { useFaultFocus } from '../../ui/useFaultFocus.ts';
import { explainSignIn } from './explainSignIn.ts';
import { OwnName } from './OwnName.tsx';
import { askForPasskey, hasPasskeys } from './passkeys.ts';
import { RecoveryCodeField } from './RecoveryCodeField.tsx';
import { TotpField } from './TotpField.tsx';

/** The second factor is proven by one of these when no passkey is used. */
type Kind = 'totp' | 'recovery';

/**
 * Requires the same proof as a sign-in: the password, and the second factor where the account has one. A passkey
 * replaces both. Screens use `proven` in `lib/proof.ts` instead of this dialog.
 */
export function ProofSheet({ onDone }: { onDone: (proven: boolean) => void }) {
  const { t } = usePreferences();
  const user = useMember();
  const state = useQuery({
    queryKey: ['second-factor'],
    queryFn: () => send(secondFactorMethods.secondFactorState, {}),
  });
  const [chosen, setChosen] = useState<Kind | null>(null);
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const [isTried, setTried] = useState(false);
  const app = state.data?.totp === true;
  const ownsPasskey = (state.data?.passkeys ?? 0) > 0;
  const hasFactor = app || ownsPasskey;
  const passkey = hasPasskeys() && ownsPasskey;
  const kind = hasFactor ? (chosen ?? firstKind({ app, passkey })) : null;
  const byPassword = user?.hasPassword === true && state.data !== undefined && (!hasFactor || kind !== null);
  const isTyped = byPassword || kind !== null;
  const isCodeMissing = lacksCode(kind, code);
  const isPasswordMissing = byPassword && password === '';
  const typed = useMutation({
    mutationFn: () =>
      send(sessionMethods.prove, {
        ...(byPassword ? { password } : {}),
        ...codeBody(kind, code),
      }),
    onSuccess: () => onDone(true),
  });
  const key = useMutation({
    mutationFn: async () => send(sessionMethods.prove, { passkey: await askForPasskey() }),
    onSuccess: () => onDone(true),
  });
  const problem = explainSignIn(state.error ?? typed.error ?? key.error, t);

  const { props: faultFocus } = useFaultFocus();
  const form = faultFocus.ref;
  const isAsked = state.data !== undefined;
  useEffect(() => {
    // The focus moves to the first way to prove, after the overlay has focused its close button.
    if (isAsked) form.current?.querySelector<HTMLElement>('.btn, input:not([readonly])')?.focus();
  }, [isAsked, form]);

  function choose(next: Kind) {
    setChosen(next);
    setCode('');
    setTried(false);
    typed.reset();
    key.reset();
  }

  function submit(event: FormEvent) {
    event.preventDefault();
    setTried(true);
    key.reset();
    if (isTyped && !isCodeMissing && !isPasswordMissing) typed.mutate();
  }

  return (
    <Overlay title={t('proof.title')} onClose={() => onDone(false)}>
      <p className="overlay-text">{t(kind === null ? 'proof.text' : 'proof.textBoth')}</p>
      <form {...faultFocus} className="form" noValidate onSubmit={submit}>
        <OwnName />
        {passkey && (
          <Button
            icon="key"
            busy={key.isPending}
            disabled={typed.isPending}
            onClick={() => {
              typed.reset();
              key.mutate();
            }}
          >
            {t('secondStep.passkey')}
          </Button>
        )}
        {byPassword && (
          <PasswordField
            label={t('accounts.password')}
            name="password"
            autoComplete="current-password"
            value={password}
            fault={isTried && isPasswordMissing ? t('accounts.passwordMissing') : null}
            onChange={setPassword}
          />
        )}
        <CodeField
          kind={kind}
          autoFocus={chosen !== null}
          value={code}
          isMissing={isTried && isCodeMissing}
          onChange={setCode}
        />
        {state.data && !isTyped && !passkey && <p className="callout">{t('proof.none')}</p>}
        {problem && (
          <p className="callout callout-problem" role="alert">
            {problem}
          </p>
        )}
        {hasFactor && <OtherKind kind={kind} app={app} onChoose={choose} />}
        <div className="overlay-actions">
          <Button onClick={() => onDone(false)}>{t('app.cancel')}</Button>
          {isTyped && (
            <Button kind="primary" type="submit" busy={typed.isPending}>
              {t('proof.confirm')}
            </Button>
          )}
        </div>
      </form>
    </Overlay>
  );
}

/** Returns what is typed at first. Where a passkey is possible, nothing is typed unless the user chooses to. */
function firstKind({ app, passkey }: { app: boolean; passkey: boolean }): Kind | null {
  if (app) return 'totp';
  return passkey ? null : 'recovery';
}

function lacksCode(kind: Kind | null, code: string): boolean {
  if (kind === 'totp') return code.length !== CODE_LENGTH;
  return kind === 'recovery' && code.trim() === '';
}

function codeBody(kind: Kind | null, code: string): { code?: string; recoveryCode?: string } {
  if (kind === 'totp') return { code };
  return kind === 'recovery' ? { recoveryCode: code.trim() } : {};
}

interface CodeFieldProps {
  readonly kind: Kind | null;
  readonly autoFocus: boolean;
  readonly value: string;
  readonly isMissing: boolean;
  readonly onChange: (code: string) => void;
}

function CodeField({ kind, isMissing, ...field }: CodeFieldProps) {
  const { t } = usePreferences();
  if (kind === 'totp') {
    return (
      <TotpField {...field} hint={t('secondStep.codeHint')} fault={isMissing ? t('secondStep.codeMissing') : null} />
    );
  }
  return kind === 'recovery' && <RecoveryCodeField {...field} isMissing={isMissing} />;
}

interface OtherKindProps {
  readonly kind: Kind | null;
  /** Whether the account has an authenticator app. */
  readonly app: boolean;
  readonly onChoose: (kind: Kind) => void;
}

/** Offers the other way to prove the second factor. */
function OtherKind({ kind, app, onChoose }: OtherKindProps) {
  const { t } = usePreferences();
  return (
    <>
      {kind !== 'recovery' && (
        <Button kind="quiet" onClick={() => onChoose('recovery')}>
          {t('secondStep.useRecovery')}
        </Button>
      )}
      {app && kind === 'recovery' && (
        <Button kind="quiet" onClick={() => onChoose('totp')}>
          {t('secondStep.useCode')}
        </Button>
      )}
    </>
  );
}
