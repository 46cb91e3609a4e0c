import { CODE_LENGTH } from '@heron/contract/accounts/code.ts';
import { secondFactorMethods } from '@heron/contract/accounts/secondFactorMethods.ts';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useEffect, useState } from 'react';
import { currentPlatform } from '../../../lib/platform.ts';
import { usePreferences } from '../../../lib/preferences.ts';
import { proven } from '../../../lib/proof.ts';
import { send } from '../../../lib/server.ts';
import { Button } from '../../../ui/Button.tsx';
import { Overlay } from '../../../ui/Overlay.tsx';
import { useFaultFocus } from '../../../ui/useFaultFocus.ts';
import { explainSignIn } from '../explainSignIn.ts';
import { TotpField } from '../TotpField.tsx';

interface TotpSetupProps {
  readonly secret: { secret: string; uri: string };
  readonly onClose: () => void;
  readonly onDone: (recoveryCodes: readonly string[]) => void;
}

/** Shows the secret for an authenticator app, and confirms its first code. */
export function TotpSetup({ secret: { secret, uri }, onClose, onDone }: TotpSetupProps) {
  const { t } = usePreferences();
  const [picture, setPicture] = useState<string | null>(null);
  const [code, setCode] = useState('');
  const [missing, setMissing] = useState(false);
  const faultFocus = useFaultFocus();
  const confirm = useMutation({
    mutationFn: () => proven(() => send(secondFactorMethods.confirmTotp, { code })),
    onSuccess: ({ recoveryCodes }) => onDone(recoveryCodes),
  });

  useEffect(() => {
    let shown = true;
    // Without the QR code the secret can still be typed.
    import('qrcode')
      .then(({ default: qrcode }) => qrcode.toDataURL(uri, { margin: 2, width: 384 }))
      .then((url) => shown && setPicture(url))
      .catch(() => {});
    return () => {
      shown = false;
    };
  }, [uri]);

  function submit(event: FormEvent) {
    event.preventDefault();
    setMissing(code.length < CODE_LENGTH);
    if (code.length === CODE_LENGTH) confirm.mutate();
  }

  return (
    <Overlay title={t('factor.setupTitle')} onClose={onClose}>
      <p className="overlay-text">{t('factor.setupText')}</p>
      <div className="qr">{picture && <img src={picture} alt={t('factor.qr')} width={192} height={192} />}</div>
      <p className="field-note">{t('factor.typeSecret')}</p>
      <p className="secret num" data-testid="totp-secret">
        {secret.replace(/(.{4})(?=.)/g, '$1 ')}
      </p>
      {currentPlatform() !== 'web' && (
        // A phone cannot scan its own screen.
        <a className="btn wide" href={uri}>
          {t('factor.openApp')}
        </a>
      )}
      <form {...faultFocus.props} className="form" noValidate onSubmit={submit}>
        <TotpField
          value={code}
          fault={missing ? t('secondStep.codeMissing') : explainSignIn(confirm.error, t)}
          onChange={(digits) => {
            setCode(digits);
            setMissing(false);
            confirm.reset();
          }}
        />
        <div className="overlay-actions">
          <Button onClick={onClose}>{t('app.cancel')}</Button>
          <Button kind="primary" type="submit" busy={confirm.isPending}>
            {t('factor.switchOn')}
          </Button>
        </div>
      </form>
    </Overlay>
  );
}
