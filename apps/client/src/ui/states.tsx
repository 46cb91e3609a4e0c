import type { ReactNode } from 'react';
import { usePreferences } from '../lib/preferences.ts';
import { Button } from './Button.tsx';
import { explain } from './explain.ts';
import { Icon, type IconName } from './Icon.tsx';

/** Shows why there is no content, and what the user can do. */
export function Empty({
  icon = 'info',
  title,
  text,
  children,
}: {
  icon?: IconName;
  title: string;
  text?: string;
  children?: ReactNode;
}) {
  return (
    <div className="empty">
      <span className="empty-icon">
        <Icon name={icon} size={28} />
      </span>
      <p className="empty-title">{title}</p>
      {text && <p className="empty-text">{text}</p>}
      {children}
    </div>
  );
}

/** Shows the text of a load error with a retry button. */
export function Problem({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const { t } = usePreferences();
  return (
    <div className="empty" role="alert">
      <span className="empty-icon empty-icon-problem">
        <Icon name="alert" size={28} />
      </span>
      <p className="empty-title">{explain(error, t)}</p>
      <Button icon="refresh" onClick={onRetry}>
        {t('app.retry')}
      </Button>
    </div>
  );
}

/** Shows grey placeholders for content that is loading. */
export function Skeleton({ rows = 3, height = 72 }: { rows?: number; height?: number }) {
  const { t } = usePreferences();
  return (
    <div role="status" aria-label={t('app.loading')}>
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: identical shapes, never reordered
        <div key={row} className="skeleton" style={{ height }} />
      ))}
    </div>
  );
}
