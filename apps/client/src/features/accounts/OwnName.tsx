import { useMember } from '../../lib/session.ts';
import { labelsOf } from './labels.ts';

/** Tells password managers whose password a form is about. Nobody sees it. */
export function OwnName() {
  const user = useMember();
  return <NameForManagers name={user ? labelsOf(user).name : ''} />;
}

/** The same for an account that is not logged in. */
export function NameForManagers({ name }: { name: string }) {
  return (
    <input
      className="hidden"
      type="text"
      autoComplete="username"
      readOnly
      tabIndex={-1}
      aria-hidden="true"
      value={name}
    />
  );
}
