import './accounts.css';
import type { FormEventHandler, ReactNode } from 'react';
import { useReader } from '../../lib/reader.ts';
import { Logo } from '../../ui/Icon.tsx';
import { Screen } from '../../ui/Screen.tsx';

interface AccountFrameProps {
  readonly title: string;
  readonly text: string;
  /** What the server or the form as a whole has to say. */
  readonly problem: string | null;
  readonly onSubmit: FormEventHandler;
  readonly children: ReactNode;
  readonly below?: ReactNode;
}

/** The frame of log in, register and set up. */
export function AccountFrame({ title, text, problem, onSubmit, children, below }: AccountFrameProps) {
  const { t } = useReader();
  return (
    <Screen title={title} className="account-screen">
      <div className="account">
        <div className="account-head">
          <Logo size={56} />
          <p className="account-name">{t('app.name')}</p>
          <p className="account-text">{text}</p>
        </div>
        <form className="card form-card" noValidate onSubmit={onSubmit}>
          {children}
          {problem && (
            <p className="notice notice-problem" role="alert">
              {problem}
            </p>
          )}
        </form>
        {below && <p className="account-below">{below}</p>}
      </div>
    </Screen>
  );
}
