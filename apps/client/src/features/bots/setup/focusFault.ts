/** Puts the focus on the first wrong field of a form, once React has drawn the faults. */
export function focusFault(form: HTMLElement | null): void {
  // Two frames: a fault in a part that is folded away unfolds it first.
  requestAnimationFrame(() =>
    requestAnimationFrame(() => form?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()),
  );
}
