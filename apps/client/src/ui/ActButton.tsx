import type { ComponentProps } from 'react';
import { useOffline } from '../lib/useOffline.ts';
import { Button } from './Button.tsx';

/** Renders a button for a server action. It is disabled while the server cannot be reached. */
export function ActButton({ disabled, ...rest }: ComponentProps<typeof Button>) {
  const offline = useOffline();
  return <Button disabled={disabled || offline} {...rest} />;
}
