import { useReader } from '../lib/reader.ts';
import { Button } from './Button.tsx';

/** Ends a list that goes on: fetches the next page when asked. */
export function MoreRows({ has, busy, onMore }: { has: boolean; busy: boolean; onMore: () => void }) {
  const { t } = useReader();
  if (!has) return null;
  return (
    <Button kind="quiet" className="more" busy={busy} onClick={onMore}>
      {t('app.more')}
    </Button>
  );
}
