import type { FormEvent, ReactNode } from 'react';
import { useFaultFocus } from '../../ui/useFaultFocus.ts';

interface AccountFormProps {
  /** This is the error of the server or of the whole form. */
  readonly problem: string | null;
  readonly onSubmit: () => void;
  readonly children: ReactNode;
}

/** A card of fields that is submitted as one form. After a submission the first invalid field gets the focus. */
export function AccountForm({ problem, onSubmit, children }: AccountFormProps) {
  const faultFocus = useFaultFocus();

  function submit(event: FormEvent) {
    event.preventDefault();
    onSubmit();
  }
  return (
    <form {...faultFocus.props} className="card form-card" noValidate onSubmit={submit}>
      {children}
      {problem && (
        <p className="callout callout-problem" role="alert">
          {problem}
        </p>
      )}
    </form>
  );
}
