import { useEffect, useEffectEvent, useRef } from 'react';
import { usePreferences } from '../lib/preferences.ts';
import { Button } from './Button.tsx';

interface MoreRowsProps {
  readonly has: boolean;
  readonly busy: boolean;
  /** The last fetch failed: only the button tries again. */
  readonly failed?: boolean;
  /** The next page is fetched automatically when the end of the list becomes visible. */
  readonly endless?: boolean;
  readonly onMore: () => void;
}

/** Renders the end of an incomplete list and fetches the next page. */
export function MoreRows({ has, busy, failed = false, endless = false, onMore }: MoreRowsProps) {
  const { t } = usePreferences();
  const place = useRef<HTMLDivElement>(null);
  const more = useEffectEvent(onMore);
  const watches = endless && has && !busy && !failed;

  useEffect(() => {
    if (!watches || !place.current) return;
    const sight = new IntersectionObserver(([entry]) => entry?.isIntersecting && more(), {
      rootMargin: '200px',
    });
    sight.observe(place.current);
    return () => sight.disconnect();
  }, [watches]);

  if (!has) return null;
  return (
    <div ref={place}>
      <Button kind="quiet" className="more" busy={busy} onClick={onMore}>
        {t(failed ? 'app.moreFailed' : 'app.more')}
      </Button>
    </div>
  );
}
