import { type FormEvent, type ReactNode, useEffect, useRef } from 'react';

interface AccountFormProps {
  /** What the server or the form as a whole has to say. */
  readonly problem: string | null;
  readonly onSubmit: () => void;
  readonly children: ReactNode;
}

/** A card of fields that is sent as one. The first that is found wrong then, here or by the server, gets the focus. */
export function AccountForm({ problem, onSubmit, children }: AccountFormProps) {
  const form = useRef<HTMLFormElement>(null);
  const isSent = useRef(false);

  // After whatever the sending has changed, until the person goes on by themselves.
  useEffect(() => {
    const wrong = isSent.current && form.current?.querySelector<HTMLElement>('[aria-invalid="true"]');
    if (!wrong) return;
    isSent.current = false;
    wrong.focus();
  });

  function submit(event: FormEvent) {
    event.preventDefault();
    isSent.current = true;
    onSubmit();
  }
  return (
    <form
      ref={form}
      className="card form-card"
      noValidate
      onSubmit={submit}
      onInput={() => {
        isSent.current = false;
      }}
    >
      {children}
      {problem && (
        <p className="notice notice-problem" role="alert">
          {problem}
        </p>
      )}
    </form>
  );
}
