import './accounts.css';
import type { ReactNode } from 'react';
import { choose, usePreferences } from '../../lib/preferences.ts';
import { Button } from '../../ui/Button.tsx';
import { Logo } from '../../ui/Icon.tsx';
import { Screen } from '../../ui/Screen.tsx';
import { toast } from '../../ui/toasts.tsx';

interface AccountFrameProps {
  readonly title: string;
  readonly text: string;
  readonly children: ReactNode;
  readonly below?: ReactNode;
}

const ENGLISH = { language: 'en', name: 'English' } as const;

/** Renders the frame of all screens before a sign-in: sign in, sign up, recovery, setup. */
export function AccountFrame({ title, text, children, below }: AccountFrameProps) {
  const { t, display } = usePreferences();
  const other = display.language === 'en' ? ({ language: 'zh-CN', name: '简体中文' } as const) : ENGLISH;

  async function changeLanguage() {
    try {
      await choose({ language: other.language });
    } catch {
      toast(t('error.network'), 'problem');
    }
  }

  return (
    <Screen title={title} className="account-screen">
      <div className="account">
        <div className="account-head">
          <Logo size={56} />
          <p className="account-name">{t('app.name')}</p>
          <p className="account-text">{text}</p>
        </div>
        {children}
        {below && <div className="account-below">{below}</div>}
        <Button kind="quiet" lang={other.language} onClick={() => void changeLanguage()}>
          {other.name}
        </Button>
      </div>
    </Screen>
  );
}
