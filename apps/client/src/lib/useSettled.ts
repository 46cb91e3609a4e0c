import { useEffect, useState } from 'react';

/** A pause in typing of this length, in ms, ends the input. */
const PAUSE_MS = 300;

/** Returns a value once the user has paused typing, so that a request is not sent for each key. */
export function useSettled<Value>(value: Value): Value {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
