import { useMember } from '../../lib/session.ts';
import { labelsOf } from './labels.ts';

/** Gives password managers the account name of a form. The field is hidden. */
export function OwnName() {
  const user = useMember();
  return <NameForManagers name={user ? labelsOf(user).name : ''} />;
}

/** Gives password managers the name of an account that is not signed in. */
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
