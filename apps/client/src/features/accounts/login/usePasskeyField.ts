import { useEffect } from 'react';
import { type EnterOptions, useEnter } from '../enter.ts';
import { enterByPasskey, passkeyFromField } from '../passkeys.ts';

/**
 * Logs in by a passkey that the browser offers where the account is typed: at the field with `webauthn` in its
 * `autocomplete`, for as long as the form is there. After a failure they are offered anew.
 *
 * @returns the login, whose error is that of the last passkey picked
 */
export function usePasskeyField(options: EnterOptions) {
  const enter = useEnter(enterByPasskey, { ...options, by: 'passkey' });
  const { mutateAsync } = enter;

  useEffect(() => {
    const leaving = new AbortController();
    async function offer() {
      for (;;) {
        const picked = await passkeyFromField(leaving.signal);
        if (picked === null) return;
        const entered = await mutateAsync(picked).catch(() => null);
        if (entered !== null) return;
      }
    }
    // Nobody has asked for it: without an answer of the server it is not offered.
    offer().catch(() => {});
    return () => leaving.abort();
  }, [mutateAsync]);

  return enter;
}
