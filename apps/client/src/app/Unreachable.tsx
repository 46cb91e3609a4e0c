import { Problem } from '../ui/states.tsx';

/** Shows the error when the server did not return the session, since no screen can be shown without it. */
export function Unreachable({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  return (
    <main className="alone">
      <Problem error={error} onRetry={onRetry} />
    </main>
  );
}
