import '../accounts.css';
import { CODE_LENGTH } from '@heron/contract/accounts/code.ts';
import { credentialMethods } from '@heron/contract/accounts/credentialMethods.ts';
import { maskPhone } from '@heron/contract/accounts/phone.ts';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { usePreferences } from '../../../lib/preferences.ts';
import { proven } from '../../../lib/proof.ts';
import { send } from '../../../lib/server.ts';
import { useMember } from '../../../lib/session.ts';
import { Button } from '../../../ui/Button.tsx';
import { Screen } from '../../../ui/Screen.tsx';
import { toast } from '../../../ui/toasts.tsx';
import { AccountForm } from '../AccountForm.tsx';
import { updateSession } from '../beginSession.ts';
import { CodeField, NO_CODE, type TypedCode } from '../codes/CodeField.tsx';
import { storeSentCode } from '../codes/countdown.ts';
import { TargetField } from '../codes/TargetField.tsx';
import { type TargetKind, targetFault } from '../codes/target.ts';
import { explainSignIn } from '../explainSignIn.ts';
import { faultField } from '../faultField.ts';

/** Changes the own e-mail address and phone number, which receive codes and can be used to sign in. */
export function ContactScreen() {
  const { t, display } = usePreferences();
  const user = useMember();
  if (!user) return null;
  const phone = user.phone && maskPhone(user.phone);
  return (
    <Screen title={t('contact.title')} back="/setting-index/">
      <div className="narrow">
        <p className="panel-text">{t('contact.text')}</p>
        <Contact kind="email" current={user.email} />
        {(phone !== null || display.language === 'zh-CN') && <Contact kind="phone" current={phone} />}
      </div>
    </Screen>
  );
}

function Contact({ kind, current }: { kind: TargetKind; current: string | null }) {
  const { t } = usePreferences();
  const [open, setOpen] = useState(false);
  const [wasOpen, setWasOpen] = useState(false);

  function close() {
    setOpen(false);
    setWasOpen(true);
  }

  return (
    <section className="card form-card" aria-labelledby={`contact-${kind}`}>
      <div className="account-row">
        <span className="account-row-text">
          <h2 id={`contact-${kind}`}>{t(kind === 'email' ? 'accounts.email' : 'accounts.phone')}</h2>
          <span className="row-note num">{current ?? t('contact.none')}</span>
        </span>
        {!open && (
          <Button autoFocus={wasOpen} onClick={() => setOpen(true)}>
            {t(current === null ? 'contact.add' : 'contact.change')}
          </Button>
        )}
      </div>
      {open && <ContactForm kind={kind} onDone={close} />}
    </section>
  );
}

function ContactForm({ kind, onDone }: { kind: TargetKind; onDone: () => void }) {
  const { t, language } = usePreferences();
  const [typed, setTyped] = useState('');
  const [code, setCode] = useState<TypedCode>(NO_CODE);
  const [fault, setFault] = useState<string | null>(null);
  const { target, fault: wrong } = targetFault(kind, typed, language);
  const payload = (value: string) => (kind === 'email' ? { email: value } : { mobile: value });
  const change = useMutation({
    mutationFn: () =>
      proven(() => send(credentialMethods.changeContact, { ...payload(target ?? ''), code: code.digits })),
    onSuccess({ userInfo }) {
      storeSentCode('change', null);
      updateSession(userInfo);
      toast(t('contact.changed'));
      onDone();
    },
  });
  const problem = explainSignIn(change.error, t);
  const about = faultField(change.error, { email: 'target', phone: 'target', code: 'code' });

  return (
    <AccountForm problem={about ? null : problem} onSubmit={() => (wrong ? setFault(wrong) : change.mutate())}>
      <TargetField
        kind={kind}
        autoFocus
        value={typed}
        fault={fault ?? (about === 'target' ? problem : null)}
        onChange={(value) => {
          setTyped(value);
          setCode(NO_CODE);
          setFault(null);
        }}
      />
      <CodeField
        purpose="change"
        target={target}
        onNoTarget={() => setFault(wrong)}
        request={(to) => proven(() => send(credentialMethods.sendContactCode, payload(to)))}
        code={code}
        onCode={setCode}
        fault={about === 'code' ? problem : null}
      />
      <div className="form-actions">
        <Button onClick={onDone}>{t('app.cancel')}</Button>
        <Button kind="primary" type="submit" busy={change.isPending} disabled={code.digits.length < CODE_LENGTH}>
          {t('contact.save')}
        </Button>
      </div>
    </AccountForm>
  );
}
