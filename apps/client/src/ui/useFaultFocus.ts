import { useEffect, useRef } from 'react';

/**
 * Puts the focus on the first field of a form that is found wrong when it is sent, here or by the server.
 *
 * @returns `props` for the form; `seek` for what is sent by another way than the form's own
 */
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

  function seek() {
    isSent.current = true;
  }

  return {
    seek,
    props: {
      ref: form,
      onSubmitCapture: seek,
      onInput() {
        isSent.current = false;
      },
    },
  };
}
