import { type CSSProperties, type ReactNode, useEffect, useId, useRef } from 'react';
import { useReader } from '../lib/reader.ts';
import { Icon } from './Icon.tsx';

const open: (() => void)[] = [];

/** Closes the overlay on top, as Escape and the browser's Back do. @returns false when none is open */
export function closeTopOverlay(): boolean {
  const close = open.at(-1);
  close?.();
  return close !== undefined;
}

interface OverlayProps {
  readonly title: string;
  /** A sheet rises from the bottom of a phone; a dialog asks in the middle; a popover is a sheet there, and else lies beside what opened it. */
  readonly kind?: 'dialog' | 'sheet' | 'popover';
  /** Of a popover: where that is. */
  readonly near?: DOMRect;
  /** Interrupts with a question that must be answered. */
  readonly alert?: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/**
 * A modal overlay, shown while it is rendered. Built on the browser's own `<dialog>`: everything behind it is inert, the
 * keyboard stays inside, and focus returns to where it came from.
 */
export function Overlay({ title, kind = 'dialog', near, alert = false, onClose, children }: OverlayProps) {
  const { t } = useReader();
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useId();
  const close = useRef(onClose);
  close.current = onClose;

  useEffect(() => {
    const own = dialog.current;
    const before = document.activeElement;
    const shut = () => close.current();
    own?.showModal();
    open.push(shut);
    return () => {
      open.splice(open.indexOf(shut), 1);
      own?.close();
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);

  /** A second Escape in a row closes it whatever its owner says. What must stay is shown again. */
  function shutByBrowser() {
    if (!dialog.current || dialog.current.open) return;
    onClose();
    setTimeout(() => {
      if (dialog.current?.isConnected && !dialog.current.open) dialog.current.showModal();
    });
  }

  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape, the keyboard's way to close, arrives as onCancel
    <dialog
      ref={dialog}
      className={`overlay overlay-${kind}`}
      role={alert ? 'alertdialog' : 'dialog'}
      aria-modal="true"
      aria-labelledby={heading}
      style={near && beside(near)}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClose={shutByBrowser}
      onClick={(event) => {
        if (event.target === dialog.current) onClose();
      }}
    >
      <div className="overlay-body">
        <header className="overlay-head">
          <h2 id={heading}>{title}</h2>
          {!alert && (
            <button type="button" className="back" aria-label={t('app.close')} onClick={onClose}>
              <Icon name="close" />
            </button>
          )}
        </header>
        {children}
      </div>
    </dialog>
  );
}

/** Below what is in the upper half of the window, above what is in the lower one. */
function beside({ left, top, bottom }: DOMRect): CSSProperties {
  const { innerHeight } = window;
  return {
    ['--near-left' as string]: `${left}px`,
    ['--near-top' as string]: bottom < innerHeight / 2 ? `${bottom + 6}px` : 'auto',
    ['--near-bottom' as string]: bottom < innerHeight / 2 ? 'auto' : `${innerHeight - top + 6}px`,
  };
}
