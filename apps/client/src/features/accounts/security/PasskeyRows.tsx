import { passkeyMethods } from '@heron/contract/accounts/passkeyMethods.ts';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { usePreferences } from '../../../lib/preferences.ts';
import { proven } from '../../../lib/proof.ts';
import { send } from '../../../lib/server.ts';
import { Button } from '../../../ui/Button.tsx';
import { TextField } from '../../../ui/fields/TextField.tsx';
import { Overlay } from '../../../ui/Overlay.tsx';
import { confirm, toast } from '../../../ui/toasts.tsx';
import { addPasskey, addressForPasskeys, hasPasskeys } from '../passkeys.ts';
import { toastFailure } from '../toastFailure.ts';

interface Passkey {
  readonly id: string;
  readonly name: string;
  readonly createdAt: number;
  readonly usedAt: number | null;
}

interface PasskeyRowsProps {
  readonly passkeys: readonly Passkey[];
  readonly onChanged: () => Promise<unknown>;
  readonly onRecoveryCodes: (codes: readonly string[]) => void;
}

/** Lists the own passkeys, to add, rename or remove. */
export function PasskeyRows({ passkeys, onChanged, onRecoveryCodes }: PasskeyRowsProps) {
  const { t, format } = usePreferences();
  const elsewhere = addressForPasskeys();
  const [renamed, setRenamed] = useState<Passkey | null>(null);
  const act = useMutation({
    mutationFn: (what: () => Promise<unknown>) => proven(what),
    onError: (refused) => toastFailure(refused, t),
    onSettled: onChanged,
  });

  const add = () =>
    act.mutate(async () => {
      const { recoveryCodes, name } = await addPasskey(t('passkeys.one'));
      onRecoveryCodes(recoveryCodes);
      toast(t('passkeys.added', { name }));
    });

  async function remove({ id, name }: Passkey) {
    const agreed = await confirm({
      title: t('passkeys.removeTitle', { name }),
      text: t('passkeys.removeText'),
      confirm: t('passkeys.remove'),
      danger: true,
    });
    if (agreed) act.mutate(() => send(passkeyMethods.removePasskey, { id }));
  }

  return (
    <section className="card form-card" aria-labelledby="factor-passkeys">
      <h2 id="factor-passkeys">{t('passkeys.title')}</h2>
      <p className="panel-text">{t('passkeys.text')}</p>
      {passkeys.length > 0 && (
        <ul className="rows passkey-rows">
          {passkeys.map((passkey) => (
            <li key={passkey.id} className="row account-row" data-testid="passkey-row">
              <span className="account-row-text">
                <strong>{passkey.name}</strong>
                <span className="row-note num">
                  {passkey.usedAt === null
                    ? t('passkeys.made', { time: format.dateTime(passkey.createdAt * 1_000) })
                    : t('passkeys.used', { time: format.dateTime(passkey.usedAt * 1_000) })}
                </span>
              </span>
              <Button aria-label={t('passkeys.renameName', { name: passkey.name })} onClick={() => setRenamed(passkey)}>
                {t('passkeys.rename')}
              </Button>
              <Button
                icon="trash"
                disabled={act.isPending}
                aria-label={t('passkeys.removeName', { name: passkey.name })}
                onClick={() => void remove(passkey)}
              />
            </li>
          ))}
        </ul>
      )}
      {elsewhere !== null ? (
        <p className="panel-note">
          {t('passkeys.elsewhere')}{' '}
          <a className="text-link" href={elsewhere}>
            {elsewhere}
          </a>
        </p>
      ) : hasPasskeys() ? (
        <div>
          <Button icon="plus" busy={act.isPending} onClick={add}>
            {t('passkeys.add')}
          </Button>
        </div>
      ) : (
        <p className="panel-note">{t('passkeys.none')}</p>
      )}
      {renamed && (
        <RenameSheet
          passkey={renamed}
          onClose={() => setRenamed(null)}
          onName={(name) => {
            setRenamed(null);
            act.mutate(() => send(passkeyMethods.renamePasskey, { id: renamed.id, name }));
          }}
        />
      )}
    </section>
  );
}

interface RenameSheetProps {
  readonly passkey: Passkey;
  readonly onClose: () => void;
  readonly onName: (name: string) => void;
}

function RenameSheet({ passkey, onClose, onName }: RenameSheetProps) {
  const { t } = usePreferences();
  const [name, setName] = useState(passkey.name);

  function submit(event: FormEvent) {
    event.preventDefault();
    if (name.trim() !== '') onName(name.trim());
  }

  return (
    <Overlay title={t('passkeys.rename')} onClose={onClose}>
      <form className="form" noValidate onSubmit={submit}>
        <TextField
          label={t('accounts.name')}
          value={name}
          maxLength={30}
          autoComplete="off"
          fault={name.trim() === '' ? t('accounts.incomplete') : null}
          onChange={setName}
        />
        <div className="overlay-actions">
          <Button onClick={onClose}>{t('app.cancel')}</Button>
          <Button kind="primary" type="submit">
            {t('passkeys.rename')}
          </Button>
        </div>
      </form>
    </Overlay>
  );
}
