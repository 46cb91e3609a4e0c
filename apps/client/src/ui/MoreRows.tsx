import { useEffect, useRef } from 'react';
import { useReader } from '../lib/reader.ts';
import { Button } from './Button.tsx';

interface MoreRowsProps {
  readonly has: boolean;
  readonly busy: boolean;
  /** Fetches by itself when the end of the list comes into sight. */
  readonly endless?: boolean;
  readonly onMore: () => void;
}

/** Ends a list that goes on: fetches the next page. */
export function MoreRows({ has, busy, endless = false, onMore }: MoreRowsProps) {
  const { t } = useReader();
  const place = useRef<HTMLDivElement>(null);
  const more = useRef(onMore);
  more.current = onMore;
  const watches = endless && has && !busy;

  useEffect(() => {
    if (!watches || !place.current) return;
    const sight = new IntersectionObserver(([entry]) => entry?.isIntersecting && more.current(), {
      rootMargin: '200px',
    });
    sight.observe(place.current);
    return () => sight.disconnect();
  }, [watches]);

  if (!has) return null;
  return (
    <div ref={place}>
      <Button kind="quiet" className="more" busy={busy} onClick={onMore}>
        {t('app.more')}
      </Button>
    </div>
  );
}
