import { Problem } from '../ui/states.tsx';

/** The server did not say who we are: nothing can be shown, so that is said. */
export function Unreachable({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  return (
    <main className="alone">
      <Problem error={error} onRetry={onRetry} />
    </main>
  );
}
