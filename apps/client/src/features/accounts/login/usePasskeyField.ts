import { useEffect } from 'react';
import { passkeyFromField, signInByPasskey } from '../passkeys.ts';
import { type SignInOptions, useSignIn } from '../useSignIn.ts';

/**
 * Signs in with a passkey that the browser offers at the account field, which has `webauthn` in its `autocomplete`. The
 * offer lasts as long as the form is mounted and restarts after a failure.
 *
 * @returns the login, whose error is that of the last passkey picked
 */
export function usePasskeyField(options: SignInOptions) {
  const signIn = useSignIn(signInByPasskey, { ...options, by: 'passkey' });
  const { mutateAsync } = signIn;

  useEffect(() => {
    const removal = new AbortController();
    async function offer() {
      for (;;) {
        const picked = await passkeyFromField(removal.signal);
        if (picked === null) return;
        const session = await mutateAsync(picked).catch(() => null);
        if (session !== null) return;
      }
    }
    // The user did not request this, so without a response of the server there is no offer and no error.
    offer().catch(() => {});
    return () => removal.abort();
  }, [mutateAsync]);

  return signIn;
}
