import { CODE_LENGTH } from '@heron/contract/accounts/code.ts';
import { secondFactorMethods } from '@heron/contract/accounts/secondFactorMethods.ts';
import { sessionMethods } from '@heron/contract/accounts/sessionMethods.ts';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { ApiError } from '../../lib/api.ts';
import { useReader } from '../../lib/reader.ts';
import { send } from '../../lib/server.ts';
import { useMember } from '../../lib/session.ts';
import { Button } from '../../ui/Button.tsx';
import { PasswordField, TextField } from '../../ui/fields.tsx';
import { Overlay } from '../../ui/Overlay.tsx';
import { codeDigits } from './codes/digits.ts';
import { explainEntry } from './explainEntry.ts';
import { OwnName } from './OwnName.tsx';
import { askForPasskey, hasPasskeys } from './passkeys.ts';

/**
 * Lets actions be done that want a fresh proof of who is there: asks for it when the server does, then does them again.
 *
 * @returns `proven` wraps an action; `asking` is what to render
 */
export function useProof() {
  const [waiting, setWaiting] = useState<{ settle: (proven: boolean) => void } | null>(null);

  async function proven<Result>(act: () => Promise<Result>): Promise<Result> {
    try {
      return await act();
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'proof_needed') throw error;
      const isProven = await new Promise<boolean>((settle) => setWaiting({ settle }));
      setWaiting(null);
      if (!isProven) throw error;
      return act();
    }
  }

  return { proven, asking: waiting && <ProofSheet onDone={waiting.settle} /> };
}

type By = 'password' | 'totp';

function ProofSheet({ onDone }: { onDone: (proven: boolean) => void }) {
  const { t } = useReader();
  const user = useMember();
  const state = useQuery({
    queryKey: ['second-factor'],
    queryFn: () => send(secondFactorMethods.secondFactorState, {}),
  });
  const [chosen, setChosen] = useState<By | null>(null);
  const [typed, setTyped] = useState('');
  const [missing, setMissing] = useState(false);
  const ways = [
    ...(user?.has_password ? (['password'] as const) : []),
    ...(state.data?.totp ? (['totp'] as const) : []),
  ];
  const by = chosen ?? ways[0];
  const other = ways.find((way) => way !== by);
  const passkey = hasPasskeys() && (state.data?.passkeys ?? 0) > 0;
  const prove = useMutation({
    mutationFn: async (way: By | 'passkey') =>
      send(
        sessionMethods.prove,
        way === 'passkey' ? { passkey: await askForPasskey() } : way === 'totp' ? { code: typed } : { password: typed },
      ),
    onSuccess: () => onDone(true),
  });
  const problem = explainEntry(prove.error, t);

  function choose(way: By) {
    setChosen(way);
    setTyped('');
    setMissing(false);
    prove.reset();
  }

  function submit(event: FormEvent) {
    event.preventDefault();
    const enough = by === 'totp' ? typed.length === CODE_LENGTH : typed !== '';
    setMissing(!enough);
    if (by && enough) prove.mutate(by);
  }

  return (
    <Overlay title={t('proof.title')} onClose={() => onDone(false)}>
      <p className="overlay-text">{t('proof.text')}</p>
      <form className="form" noValidate onSubmit={submit}>
        <OwnName />
        {by === 'password' && (
          <PasswordField
            key="password"
            label={t('accounts.password')}
            name="password"
            autoComplete="current-password"
            value={typed}
            fault={missing ? t('accounts.passwordMissing') : null}
            onChange={setTyped}
          />
        )}
        {by === 'totp' && (
          <TextField
            key="totp"
            label={t('secondStep.code')}
            name="one-time-code"
            autoComplete="one-time-code"
            inputMode="numeric"
            value={typed}
            hint={t('secondStep.codeHint')}
            fault={missing ? t('secondStep.codeMissing') : null}
            onChange={(value) => setTyped(codeDigits(value))}
          />
        )}
        {by === undefined && !passkey && state.data && <p className="notice">{t('proof.none')}</p>}
        {problem && (
          <p className="notice notice-problem" role="alert">
            {problem}
          </p>
        )}
        {passkey && (
          <Button icon="key" disabled={prove.isPending} onClick={() => prove.mutate('passkey')}>
            {t('secondStep.passkey')}
          </Button>
        )}
        {other && (
          <Button kind="quiet" onClick={() => choose(other)}>
            {t(other === 'totp' ? 'secondStep.useCode' : 'proof.usePassword')}
          </Button>
        )}
        <div className="overlay-actions">
          <Button onClick={() => onDone(false)}>{t('app.cancel')}</Button>
          {by && (
            <Button kind="primary" type="submit" busy={prove.isPending}>
              {t('proof.confirm')}
            </Button>
          )}
        </div>
      </form>
    </Overlay>
  );
}
