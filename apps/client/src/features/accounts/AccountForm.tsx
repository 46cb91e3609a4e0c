import type { FormEvent, ReactNode } from 'react';

interface AccountFormProps {
  /** What the server or the form as a whole has to say. */
  readonly problem: string | null;
  readonly onSubmit: () => void;
  readonly children: ReactNode;
}

/** A card of fields that is sent as one. */
export function AccountForm({ problem, onSubmit, children }: AccountFormProps) {
  function submit(event: FormEvent) {
    event.preventDefault();
    onSubmit();
  }
  return (
    <form className="card form-card" noValidate onSubmit={submit}>
      {children}
      {problem && (
        <p className="notice notice-problem" role="alert">
          {problem}
        </p>
      )}
    </form>
  );
}
