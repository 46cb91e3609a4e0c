import { type CSSProperties, type ReactNode, useEffect, useEffectEvent, useId, useRef } from 'react';
import { usePreferences } from '../lib/preferences.ts';
import { Icon } from './Icon.tsx';
import { useSwipeToClose } from './useSwipeToClose.ts';

const open: (() => void)[] = [];
let onOpen: () => void = () => undefined;

/** Sets the function that runs when an overlay opens, so that the browser's Back can close it. */
export function onOverlay(listener: () => void): void {
  onOpen = listener;
}

/** Closes the overlay on top, as Escape and the browser's Back do. @returns false when none is open */
export function closeTopOverlay(): boolean {
  const close = open.at(-1);
  close?.();
  return close !== undefined;
}

/** The sizes are in CSS pixels; the window size is the maximum. */
interface OverlaySize {
  readonly width?: number;
  readonly height?: number;
  readonly minHeight?: number;
  readonly fullscreen?: boolean;
}

interface OverlayProps {
  readonly title: string;
  /**
   * A sheet is at the bottom of a phone; a dialog is in the middle. A popover is a sheet on a phone, and otherwise is
   * placed beside its opener. A popup fills a phone unless `size` limits it.
   */
  readonly kind?: 'dialog' | 'sheet' | 'popover' | 'popup';
  /** The head stays visible. An overlay with a whole screen sets this. */
  readonly size?: OverlaySize;
  /** A popover is placed beside the element at this position. */
  readonly near?: DOMRect;
  /** On a wide screen the overlay takes most of its width, for content in columns. */
  readonly wide?: boolean;
  /** The dialog requires a response from the user. */
  readonly alert?: boolean;
  /** A downward swipe of the head closes the overlay. Sheets and popovers allow it by default. */
  readonly swipes?: boolean;
  /** This content is before the title. */
  readonly lead?: ReactNode;
  /** This handles the browser's Back; the default is `onClose`. */
  readonly onBack?: () => void;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/**
 * Renders a modal overlay for as long as it is mounted. It uses the browser's own `<dialog>`: everything behind it is
 * inert, the keyboard stays inside, and the focus returns to its previous element.
 */
export function Overlay(props: OverlayProps) {
  const { title, kind = 'dialog', near, size, wide = false, alert = false, lead, onClose, children } = props;
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
    // The focus moves to the element marked for it. On touch screens the keyboard would cover the text, so the focus
    // stays.
    if (matchMedia('(pointer: fine)').matches) own?.querySelector<HTMLElement>('[data-begin]')?.focus();
    open.push(shut);
    onOpen();
    return () => {
      open.splice(open.indexOf(shut), 1);
      own?.close();
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);

  const handle = useSwipeToClose(dialog, onClose);

  /**
   * Handles a second Escape, at which the browser closes the dialog regardless of its owner. An overlay that must stay
   * is shown again.
   */
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
      className={`overlay overlay-${kind === 'popover' && !near ? 'sheet' : kind} ${size ? 'overlay-screen' : ''} ${size?.fullscreen ? 'overlay-full' : ''} ${wide ? 'overlay-wide' : ''}`}
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

function sized({ width, height, minHeight }: OverlaySize): CSSProperties {
  return {
    ...(width === undefined ? {} : { ['--own-width' as string]: `${width}px` }),
    ...(height === undefined ? {} : { ['--own-height' as string]: `${height}px` }),
    ...(minHeight === undefined ? {} : { ['--own-min' as string]: `${minHeight}px` }),
  };
}

/** Places the overlay below an element in the upper half of the window, and above one in the lower half. */
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
