import { type CSSProperties, type ReactNode, useEffect, useEffectEvent, useId, useRef } from 'react';
import { usePreferences } from '../lib/preferences.ts';
import { Icon } from './Icon.tsx';
import { useSwipeToClose } from './useSwipeToClose.ts';

const open: (() => void)[] = [];
let hear: () => void = () => undefined;

/** Tells whoever keeps the browser's history that its Back has something to close. */
export function onOverlay(tell: () => void): void {
  hear = tell;
}

/** Closes the overlay on top, as Escape and the browser's Back do. @returns false when none is open */
export function closeTopOverlay(): boolean {
  const close = open.at(-1);
  close?.();
  return close !== undefined;
}

/** CSS pixels; never more than the window has. */
interface OverlaySize {
  readonly width?: number;
  readonly height?: number;
  readonly leastHeight?: number;
  readonly fullscreen?: boolean;
}

interface OverlayProps {
  readonly title: string;
  /**
   * A sheet rises from the bottom of a phone; a dialog asks in the middle; a popover is a sheet there, and else lies beside what
   * opened it; a popup is as large as a phone, and else as it is told.
   */
  readonly kind?: 'dialog' | 'sheet' | 'popover' | 'popup';
  /** The head stays visible; for an overlay that holds a whole screen. */
  readonly size?: OverlaySize;
  /** The position of the element that a popover lies beside. */
  readonly near?: DOMRect;
  /** Interrupts with a question that must be answered. */
  readonly alert?: boolean;
  /** Whether a finger closes it by pulling its head down. Sheets and popovers do. */
  readonly swipes?: boolean;
  /** Before the title. */
  readonly lead?: ReactNode;
  /** Called for the browser's Back; `onClose` when left out. */
  readonly onBack?: () => void;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/**
 * A modal overlay, shown while it is rendered. Built on the browser's own `<dialog>`: everything behind it is inert, the
 * keyboard stays inside, and focus returns to where it came from.
 */
export function Overlay(props: OverlayProps) {
  const { title, kind = 'dialog', near, size, alert = false, lead, onClose, children } = props;
  const { swipes = kind === 'sheet' || kind === 'popover', onBack = onClose } = props;
  const { t } = usePreferences();
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useId();
  const close = useEffectEvent(onBack);

  useEffect(() => {
    const own = dialog.current;
    const before = document.activeElement;
    const shut = () => close();
    own?.showModal();
    // Where one begins to type. Not with fingers: their keyboard would cover what one is to read first.
    if (matchMedia('(pointer: fine)').matches) own?.querySelector<HTMLElement>('[data-begin]')?.focus();
    open.push(shut);
    hear();
    return () => {
      open.splice(open.indexOf(shut), 1);
      own?.close();
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);

  const handle = useSwipeToClose(dialog, onClose);

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
      className={`overlay overlay-${kind === 'popover' && !near ? 'sheet' : kind} ${size ? 'overlay-screen' : ''} ${size?.fullscreen ? 'overlay-full' : ''}`}
      role={alert ? 'alertdialog' : 'dialog'}
      aria-modal="true"
      aria-labelledby={heading}
      style={{ ...(size && sized(size)), ...(near && beside(near)) }}
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
        <header className={`overlay-head ${swipes ? 'overlay-handle' : ''}`} {...(swipes ? handle : {})}>
          {lead}
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

function sized({ width, height, leastHeight }: OverlaySize): CSSProperties {
  return {
    ...(width === undefined ? {} : { ['--own-width' as string]: `${width}px` }),
    ...(height === undefined ? {} : { ['--own-height' as string]: `${height}px` }),
    ...(leastHeight === undefined ? {} : { ['--own-least' as string]: `${leastHeight}px` }),
  };
}

/** Below what is in the upper half of the window, above what is in the lower one. */
function beside({ left, top, bottom }: DOMRect): CSSProperties {
  const { innerHeight } = window;
  const isAbove = bottom < innerHeight / 2;
  return {
    ['--near-left' as string]: `${left}px`,
    ['--near-top' as string]: isAbove ? `${bottom + 6}px` : 'auto',
    ['--near-bottom' as string]: isAbove ? 'auto' : `${innerHeight - top + 6}px`,
    ['--near-room' as string]: `${(isAbove ? innerHeight - bottom : top) - 22}px`,
  };
}
