import { ApiError } from '../../../lib/api.ts';
import { usePreferences } from '../../../lib/preferences.ts';
import { Button } from '../../../ui/Button.tsx';
import { Link } from '../../../ui/Link.tsx';
import { Empty, Problem } from '../../../ui/states.tsx';

/**
 * Shows why a list of the administration failed to load. Links to the setup of a second factor when it is missing.
 *
 * @param onRetry also asks for a fresh proof, where the list wants one
 */
export function ManageProblem({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const { t } = usePreferences();
  if (error instanceof ApiError && error.code === 'proof_needed') {
    return (
      <Empty icon="key" title={error.message}>
        <Button kind="primary" onClick={onRetry}>
          {t('proof.confirm')}
        </Button>
      </Empty>
    );
  }
  if (!(error instanceof ApiError) || error.code !== 'second_factor_missing') {
    return <Problem error={error} onRetry={onRetry} />;
  }
  return (
    <Empty icon="key" title={error.message}>
      <Link className="btn btn-primary" href="/user-second-factor/">
        {t('factor.title')}
      </Link>
    </Empty>
  );
}
