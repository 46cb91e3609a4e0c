import { useEffect, useState } from 'react';

/** As long as somebody who types is thought to go on. */
const PAUSE_MS = 300;

/** A value that changes with each key, as it was when the person last paused: what is worth a question to the server. */
export function useSettled<Value>(value: Value): Value {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
