import type { ComponentProps, FormEvent, ReactNode } from 'react';
import { Screen } from './Screen.tsx';

type FormScreenProps = Pick<ComponentProps<typeof Screen>, 'title' | 'back' | 'beside'> & {
  /** These are the `formProps` of `useFormFaults`. */
  readonly formProps: ComponentProps<'form'>;
  readonly className: string;
  /** This error belongs to no field. */
  readonly problem: string | null;
  /** This button submits the form. */
  readonly action: ReactNode;
  /** The placeholder replaces the form, for example while its data load. */
  readonly placeholder?: ReactNode;
  readonly onSubmit: () => void;
  readonly children: ReactNode;
};

/** Renders a screen with one form: cards of fields, the error of the whole form, and the submit button. */
export function FormScreen(props: FormScreenProps) {
  const { formProps, className, problem, action, placeholder, onSubmit, children, ...screen } = props;

  function submit(event: FormEvent) {
    event.preventDefault();
    onSubmit();
  }

  return (
    <Screen {...screen}>
      {placeholder ?? (
        <form {...formProps} className={`form ${className}`} noValidate autoComplete="off" onSubmit={submit}>
          {children}
          {problem && (
            <p className="callout callout-problem" role="alert">
              {problem}
            </p>
          )}
          <div className="form-actions">{action}</div>
        </form>
      )}
    </Screen>
  );
}
