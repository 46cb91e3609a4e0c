import { type ReactNode, useContext, useEffect, useRef } from 'react';
import { goBack } from '../lib/navigation.ts';
import { usePreferences } from '../lib/preferences.ts';
import { Embed } from './embed.ts';
import { Icon } from './Icon.tsx';
import { usePullToRefresh } from './usePullToRefresh.tsx';
import { windowTitle } from './windowTitle.ts';

interface ScreenProps {
  /** The title is the heading and the name of the page in the browser. */
  readonly title: string;
  /** Back opens this path when this screen was opened first; without it there is no Back link. */
  readonly back?: string;
  /** Small elements beside the title, such as badges. */
  readonly beside?: ReactNode;
  readonly actions?: ReactNode;
  /** The footer stays at the bottom, above the tabs. */
  readonly footer?: ReactNode;
  /** Pull to refresh calls this on a touch screen; the promise resolves when the data are loaded. */
  readonly onRefresh?: () => Promise<unknown>;
  /** The content is text only, so it can be focused and scrolled with the keyboard. */
  readonly reading?: boolean;
  readonly className?: string;
  readonly children: ReactNode;
}

/** Renders the frame of every screen: a bar with back link, heading and actions, and scrolling content. */
export function Screen({
  title,
  back,
  beside,
  actions,
  footer,
  onRefresh,
  reading = false,
  className = '',
  children,
}: ScreenProps) {
  const { t } = usePreferences();
  const bar = useRef<HTMLElement>(null);
  const embed = useContext(Embed);
  const pull = usePullToRefresh(onRefresh);
  useEffect(() => {
    if (embed) embed(title);
    else if (!bar.current?.closest('[inert]')) document.title = windowTitle(title);
  }, [title, embed]);
  if (embed)
    return (
      <div className={`screen embedded ${className}`}>
        {(beside || actions) && (
          <div className="topbar-actions">
            {beside}
            {actions}
          </div>
        )}
        <div className="content">{children}</div>
        {footer}
      </div>
    );
  return (
    <div className={`screen ${className}`}>
      <header ref={bar} className="topbar">
        {back !== undefined && (
          <button type="button" className="back" aria-label={t('app.back')} onClick={() => goBack(back)}>
            <Icon name="back" size={22} />
          </button>
        )}
        <h1 tabIndex={-1}>{title}</h1>
        {beside}
        <div className="topbar-actions">{actions}</div>
      </header>
      <div className="page-content" {...pull.handlers}>
        {pull.indicator}
        <div className="content" {...(reading ? { tabIndex: 0, role: 'region', 'aria-label': title } : {})}>
          {children}
        </div>
      </div>
      {footer}
    </div>
  );
}
