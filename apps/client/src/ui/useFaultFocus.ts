import { useEffect, useRef } from 'react';

/**
 * Focuses the first invalid field after a form is submitted, whether the client or the server found the error.
 *
 * @returns `props` for the form; `seek` for what is sent by another way than the form's own
 */
export function useFaultFocus() {
  const form = useRef<HTMLFormElement>(null);
  const isSent = useRef(false);

  // This effect runs after every render. It moves the focus once per submission, unless the user types first.
  useEffect(() => {
    const wrong = isSent.current && form.current?.querySelector<HTMLElement>('[aria-invalid="true"]');
    if (!wrong) return;
    isSent.current = false;
    wrong.focus({ preventScroll: true });
    // The label above the field and the error below it are in view, too.
    wrong.scrollIntoView({ block: 'center' });
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
