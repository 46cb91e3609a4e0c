import { useEffect } from 'react';
import { passkeyFromField, signInByPasskey } from '../passkeys.ts';
import { type SignInOptions, useSignIn } from '../signIn.ts';

/**
 * Signs in with a passkey that the browser offers at the account field, which has `webauthn` in its `autocomplete`. The
 * offer lasts as long as the form is mounted and restarts after a failure.
 *
 * @returns the login, whose error is that of the last passkey picked
 */
export function usePasskeyField(options: SignInOptions) {
  const enter = useSignIn(signInByPasskey, { ...options, by: 'passkey' });
  const { mutateAsync } = enter;

  useEffect(() => {
    const removal = new AbortController();
    async function offer() {
      for (;;) {
        const picked = await passkeyFromField(removal.signal);
        if (picked === null) return;
        const entered = await mutateAsync(picked).catch(() => null);
        if (entered !== null) return;
      }
    }
    // The user did not request this, so without a response of the server there is no offer and no error.
    offer().catch(() => {});
    return () => removal.abort();
  }, [mutateAsync]);

  return enter;
}
