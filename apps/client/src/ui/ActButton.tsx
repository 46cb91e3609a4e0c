import type { ComponentProps } from 'react';
import { useAway } from '../lib/away.ts';
import { Button } from './Button.tsx';

/** A button that has the server do something: it rests while the server cannot be reached, as the line above the screen says. */
export function ActButton({ disabled, ...rest }: ComponentProps<typeof Button>) {
  const away = useAway();
  return <Button disabled={disabled || away} {...rest} />;
}
