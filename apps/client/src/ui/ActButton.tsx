import type { ComponentProps } from 'react';
import { useAway } from '../lib/away.ts';
import { Button } from './Button.tsx';

/** Renders a button for a server action. It is disabled while the server cannot be reached. */
export function ActButton({ disabled, ...rest }: ComponentProps<typeof Button>) {
  const away = useAway();
  return <Button disabled={disabled || away} {...rest} />;
}
