import { useEffect, useRef } from 'react';

/** For a form: what is sent puts the focus on the first field that is found wrong then, here or by the server. */
export function useFaultFocus() {
  const form = useRef<HTMLFormElement>(null);
  const isSent = useRef(false);

  // After whatever the sending has changed, until the person goes on by themselves.
  useEffect(() => {
    const wrong = isSent.current && form.current?.querySelector<HTMLElement>('[aria-invalid="true"]');
    if (!wrong) return;
    isSent.current = false;
    wrong.focus();
  });

  return {
    ref: form,
    onSubmitCapture() {
      isSent.current = true;
    },
    onInput() {
      isSent.current = false;
    },
  };
}
