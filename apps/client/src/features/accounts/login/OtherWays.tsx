import { useReader } from '../../../lib/reader.ts';
import { Button } from '../../../ui/Button.tsx';
import { useEnter } from '../enter.ts';
import { explainEntry } from '../explainEntry.ts';
import { hasPasskeys, logInByPasskey } from '../passkeys.ts';
import type { SecondStep } from '../secondStep.ts';

interface OtherWaysProps {
  readonly remember: boolean;
  readonly onSecondStep: (step: SecondStep) => void;
}

/** Ways to log in without typing. */
export function OtherWays({ remember, onSecondStep }: OtherWaysProps) {
  const { t } = useReader();
  const byPasskey = useEnter(logInByPasskey, { remember, onSecondStep });
  const problem = explainEntry(byPasskey.error, t);
  if (!hasPasskeys()) return null;
  return (
    <div className="account-ways">
      <p className="account-or">{t('login.or')}</p>
      <Button icon="key" className="wide" busy={byPasskey.isPending} onClick={() => byPasskey.mutate()}>
        {t('login.passkey')}
      </Button>
      {problem && (
        <p className="notice notice-problem" role="alert">
          {problem}
        </p>
      )}
    </div>
  );
}
