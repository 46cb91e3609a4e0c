import type { ButtonHTMLAttributes, ReactNode } from 'react';
import { Icon, type IconName } from './Icon.tsx';

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly kind?: 'primary' | 'plain' | 'quiet' | 'danger' | 'stop' | 'buy' | 'sell';
  readonly icon?: IconName;
  /** Works on it: shows that, and cannot be pressed again. */
  readonly busy?: boolean;
  readonly children?: ReactNode;
}

export function Button({
  kind = 'plain',
  icon,
  busy = false,
  children,
  className = '',
  disabled,
  ...rest
}: ButtonProps) {
  return (
    <button
      type="button"
      className={`btn btn-${kind} ${children ? '' : 'btn-icon'} ${className}`}
      disabled={disabled || busy}
      aria-busy={busy || undefined}
      {...rest}
    >
      {busy ? <span className="spinner" aria-hidden="true" /> : icon && <Icon name={icon} size={18} />}
      {children && <span>{children}</span>}
    </button>
  );
}
