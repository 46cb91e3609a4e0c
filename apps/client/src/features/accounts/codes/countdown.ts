import { useEffect, useState } from 'react';

/** A code has one of these purposes. Each purpose has at most one pending code. */
export type CodePurpose = 'register-email' | 'register-phone' | 'login' | 'recover' | 'change' | 'delete';

/** Describes a code that was sent. */
export interface SentCode {
  readonly target: string;
  /** The next code may be sent at this time, in ms since 1970. */
  readonly until: number;
}

const KEY = 'heron.codes';
type SentCodes = Partial<Record<CodePurpose, SentCode>>;

function read(): SentCodes {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(KEY) ?? '{}');
    return typeof stored === 'object' && stored !== null ? stored : {};
  } catch {
    return {};
  }
}

/**
 * Returns the code that was sent for this purpose while its wait lasts, even if its screen was closed in the meantime.
 */
export function sentCode(purpose: CodePurpose, now = Date.now()): SentCode | null {
  const sent = read()[purpose];
  return sent && sent.until > now ? sent : null;
}

/** Records that a code was sent; null records that it was used or could not be sent. */
export function storeSentCode(purpose: CodePurpose, sent: SentCode | null): void {
  const { [purpose]: _, ...others } = read();
  try {
    sessionStorage.setItem(KEY, JSON.stringify(sent ? { ...others, [purpose]: sent } : others));
  } catch {}
}

/**
 * Returns the seconds until the next code may be sent to this target; 0 when it may be sent now.
 *
 * @returns the seconds, and a function that restarts the wait
 */
export function useCountdown(purpose: CodePurpose, target: string | null): [number, (seconds: number) => void] {
  const [now, setNow] = useState(Date.now);
  const sent = sentCode(purpose, now);
  const left = sent && sent.target === target ? Math.ceil((sent.until - now) / 1_000) : 0;

  const counts = left > 0;

  useEffect(() => {
    if (!counts) return;
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, [counts]);

  return [
    left,
    (seconds) => {
      const at = Date.now();
      storeSentCode(purpose, seconds > 0 && target !== null ? { target, until: at + seconds * 1_000 } : null);
      setNow(at);
    },
  ];
}
