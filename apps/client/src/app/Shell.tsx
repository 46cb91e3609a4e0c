import { type ComponentType, useEffect, useState, useSyncExternalStore } from 'react';
import { useUnseen } from '../entities/bot/alarm/unseen.ts';
import { shownName } from '../features/accounts/labels.ts';
import { BotColumn } from '../features/botList/BotColumn.tsx';
import { usePreferences } from '../lib/preferences.ts';
import { asksForPrivacy } from '../lib/privacy.ts';
import { stream } from '../lib/server.ts';
import { useSession } from '../lib/session.ts';
import { Icon, type IconName, Logo } from '../ui/Icon.tsx';
import { Link } from '../ui/Link.tsx';
import { Offers, Toasts } from '../ui/toasts.tsx';
import { AppOverlays } from './AppOverlays.tsx';
import { Connection } from './Connection.tsx';
import { Pages } from './Pages.tsx';
import { ProofQuestion } from './ProofQuestion.tsx';
import { currentPath, onPath } from './path.ts';
import { Shortcuts } from './Shortcuts.tsx';

interface Tab {
  readonly href: string;
  readonly name: 'nav.bots' | 'nav.portfolio' | 'nav.exchanges' | 'nav.notifications' | 'nav.settings';
  readonly icon: IconName;
  readonly owns: RegExp;
  /** Only members see this tab. */
  readonly members: boolean;
}

const TABS: readonly Tab[] = [
  { href: '/bots/', name: 'nav.bots', icon: 'bots', owns: /^\/bot/, members: true },
  { href: '/portfolio/', name: 'nav.portfolio', icon: 'portfolio', owns: /^\/portfolio\//, members: true },
  { href: '/exchange-index/', name: 'nav.exchanges', icon: 'exchange', owns: /^\/(exchange|host)-/, members: true },
  { href: '/notify-index/', name: 'nav.notifications', icon: 'notifications', owns: /^\/notify-/, members: true },
  {
    href: '/setting-index/',
    name: 'nav.settings',
    icon: 'settings',
    owns: /^\/(setting|user|manage)-/,
    members: false,
  },
];

/** These screens use the full height of a phone; Back leaves them. */
const DEEP = /^\/(bot|bot-add|bot-edit|exchange-add|host-add|user-[a-z-]+|manage-[a-z]+)\//;

/** These are screens of one bot. A wide screen shows the list of bots beside them. */
const ONE_BOT = /^\/bot(-edit)?\//;

/**
 * Renders everything around the screens: side navigation on a wide screen, tabs on a phone, connection state and
 * toasts.
 */
export function Shell() {
  const { t } = usePreferences();
  const session = useSession();
  const path = useSyncExternalStore(onPath, currentPath);
  const member = session.state === 'member';
  // The stream starts only once the server has confirmed who is signed in.
  const live = member && !session.isFromCache;

  useEffect(() => {
    if (live) stream.start();
    else stream.stop();
  }, [live]);

  const column = member && ONE_BOT.test(path);
  const tabs = TABS.filter(({ members }) => member || !members);
  return (
    <div
      className={`shell ${member ? 'shell-member' : 'shell-visitor'} ${DEEP.test(path) ? 'shell-deep' : ''} ${column ? 'shell-column' : ''}`}
    >
      <a className="skip" href="#stage">
        {t('app.skip')}
      </a>
      <nav className="rail" aria-label={t('nav.main')}>
        <Link className="brand" href="/bots/" root>
          <Logo size={34} />
          <span>{t('app.name')}</span>
        </Link>
        {tabs.map(({ href, name, icon, owns }) => (
          <Link
            key={href}
            href={href}
            root
            className="rail-link"
            title={t(name)}
            aria-current={owns.test(path) ? 'page' : undefined}
          >
            <Icon name={icon} size={22} />
            <span>{t(name)}</span>
            {name === 'nav.notifications' && <Unseen />}
          </Link>
        ))}
        {session.state === 'member' && (
          <p className="rail-user">
            <Icon name="user" size={18} />
            <span>{shownName(session.user)}</span>
          </p>
        )}
      </nav>
      {column && <BotColumn path={path} />}
      <main className="stage" id="stage" tabIndex={-1}>
        <Connection />
        <Offers />
        <div className="stage-view">
          <Pages />
        </div>
      </main>
      <nav className="tabs" aria-label={t('nav.main')}>
        {tabs.map(({ href, name, icon, owns }) => (
          <Link key={href} href={href} root className="tab-link" aria-current={owns.test(path) ? 'page' : undefined}>
            <Icon name={icon} size={24} />
            <span>{t(name)}</span>
            {name === 'nav.notifications' && <Unseen />}
          </Link>
        ))}
      </nav>
      {member && <Shortcuts />}
      <AppOverlays />
      <ProofQuestion />
      <Toasts />
      <FirstRun />
    </div>
  );
}

/** Shows the number of new notifications beside their label. */
function Unseen() {
  const { t } = usePreferences();
  const count = useUnseen();
  if (count === 0) return null;
  return (
    <span className="unseen num" role="img" aria-label={t('nav.unseen', { count })} data-testid="unseen">
      {count > MAX_SHOWN ? `${MAX_SHOWN}+` : count}
    </span>
  );
}

/** A larger count is shown as this number with a plus sign. */
const MAX_SHOWN = 99;

/** Loads and shows the consent dialog at the first run on a phone; no other start loads it. */
function FirstRun() {
  const [Dialog, setDialog] = useState<ComponentType<{ onAgreed: () => void }> | null>(null);
  useEffect(() => {
    if (asksForPrivacy())
      void import('./PrivacyDialog.tsx').then(({ PrivacyDialog }) => setDialog(() => PrivacyDialog));
  }, []);
  return Dialog && <Dialog onAgreed={() => setDialog(null)} />;
}
