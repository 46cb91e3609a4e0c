import { Icon } from '../../ui/Icon.tsx';
import { Link } from '../../ui/Link.tsx';

/** Lists links to other screens of the settings. */
export function Links({ of }: { of: readonly { href: string; title: string }[] }) {
  return (
    <ul className="rows settings-links">
      {of.map(({ href, title }) => (
        <li key={href}>
          <Link className="settings-link" href={href}>
            <span>{title}</span>
            <Icon name="forward" size={18} />
          </Link>
        </li>
      ))}
    </ul>
  );
}
