import { useEffect, useState } from 'react';

/** For what a code is sent. Each has one code under way. */
export type CodePurpose = 'register-email' | 'register-phone' | 'login' | 'recover' | 'change' | 'delete';

/** A code on its way. */
export interface SentCode {
  readonly target: string;
  /** When the next may be sent, ms since 1970. */
  readonly until: number;
}

const KEY = 'heron.codes';
type Kept = Partial<Record<CodePurpose, SentCode>>;

function read(): Kept {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(KEY) ?? '{}');
    return typeof kept === 'object' && kept !== null ? kept : {};
  } catch {
    return {};
  }
}

/** The code that was sent for this purpose and still counts down, also when its screen was closed meanwhile. */
export function sentCode(purpose: CodePurpose, now = Date.now()): SentCode | null {
  const sent = read()[purpose];
  return sent && sent.until > now ? sent : null;
}

/** Notes that a code was sent, or, with null, that it was used or not sent after all. */
export function noteCode(purpose: CodePurpose, sent: SentCode | null): void {
  const { [purpose]: _, ...others } = read();
  try {
    sessionStorage.setItem(KEY, JSON.stringify(sent ? { ...others, [purpose]: sent } : others));
  } catch {}
}

/**
 * Seconds until the next code may be sent to this target; 0 when now.
 *
 * @returns the seconds, and a function that begins them anew
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
      noteCode(purpose, seconds > 0 && target !== null ? { target, until: at + seconds * 1_000 } : null);
      setNow(at);
    },
  ];
}
