import type { PasskeyLoginAnswer } from '@heron/contract/accounts/passkeyAnswer.ts';
import { useEffect, useState } from 'react';
import { type EnterOptions, useEnter } from '../enter.ts';
import { enterByPasskey, passkeyFromField } from '../passkeys.ts';

/**
 * Logs in by a passkey that the browser offers where the account is typed: at the field with `webauthn` in its
 * `autocomplete`, for as long as the form is there.
 *
 * @returns the login, whose error is that of the last passkey picked
 */
export function usePasskeyField(options: EnterOptions) {
  const enter = useEnter((picked: PasskeyLoginAnswer) => enterByPasskey(picked), options);
  const [failures, setFailures] = useState(0);
  const { mutate } = enter;

  // biome-ignore lint/correctness/useExhaustiveDependencies: after a failure the passkeys are offered anew
  useEffect(() => {
    const leaving = new AbortController();
    passkeyFromField(leaving.signal)
      .then((picked) => picked && mutate(picked, { onError: () => setFailures((before) => before + 1) }))
      // Nobody has asked for it: without an answer of the server it is not offered.
      .catch(() => {});
    return () => leaving.abort();
  }, [mutate, failures]);

  return enter;
}
