import type { ReactNode } from 'react';
import { usePreferences } from '../../../lib/preferences.ts';

/** Lays out a form with its summary: beside it on a wide screen, where it stays in view, and below it elsewhere. */
export function SetupColumns({ summary, children }: { summary: ReactNode; children: ReactNode }) {
  const { t } = usePreferences();
  // The keyboard scrolls a summary that is longer than the window.
  const scrolling = { tabIndex: 0, 'aria-label': t('summary.title') };
  return (
    <div className="setup-columns">
      {children}
      <aside className="setup-aside" {...scrolling}>
        {summary}
      </aside>
    </div>
  );
}
