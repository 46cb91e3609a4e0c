import type { ButtonHTMLAttributes, MouseEvent, ReactNode } from 'react';
import { Icon, type IconName } from './Icon.tsx';

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly kind?: 'primary' | 'plain' | 'quiet' | 'danger' | 'stop' | 'buy' | 'sell';
  readonly icon?: IconName;
  /**
   * Shows that the action is running and ignores clicks. The button keeps the focus, which a disabled button would
   * lose.
   */
  readonly busy?: boolean;
  readonly children?: ReactNode;
}

export function Button({
  kind = 'plain',
  icon,
  busy = false,
  children,
  className = '',
  onClick,
  ...rest
}: ButtonProps) {
  function press(event: MouseEvent<HTMLButtonElement>) {
    // This also prevents the form from being submitted.
    if (busy) event.preventDefault();
    else onClick?.(event);
  }
  return (
    <button
      type="button"
      className={`btn btn-${kind} ${children ? '' : 'btn-icon'} ${className}`}
      aria-busy={busy || undefined}
      aria-disabled={busy || undefined}
      onClick={press}
      {...rest}
    >
      {busy ? <span className="spinner" aria-hidden="true" /> : icon && <Icon name={icon} size={18} />}
      {children && <span>{children}</span>}
    </button>
  );
}
