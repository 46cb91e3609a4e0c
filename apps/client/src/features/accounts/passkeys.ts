import type { NewSession } from '@heron/contract/accounts/entities.ts';
import type { PasskeyLoginAnswer, PasskeyRegistrationAnswer } from '@heron/contract/accounts/passkeyAnswer.ts';
import { passkeyMethods } from '@heron/contract/accounts/passkeyMethods.ts';
import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser';
import { send } from '../../lib/server.ts';
import { offerAtField } from './offerAtField.ts';

/** Whether this browser has passkeys here: they want HTTPS, or this very machine. */
export const hasPasskeys = (): boolean => isSecureContext && typeof PublicKeyCredential === 'function';

/**
 * Where to open Heron on this machine for passkeys, when it was opened by a plain address: browsers make them for names only.
 * Null where the address is right, or only whoever runs Heron can tell which is.
 */
export function addressForPasskeys({ hostname, port }: { hostname: string; port: string } = location): string | null {
  return /^(127\.[\d.]+|\[::1\])$/.test(hostname) ? `http://localhost:${port || 80}` : null;
}

/** The person closed the browser's dialog, or it timed out: nothing to tell them. */
export class PasskeyCancelled extends Error {}

/** The browser could not use or make a passkey here. */
export class PasskeyFailed extends Error {}

const library = () => import('@simplewebauthn/browser');

/** Settles when the dialog that was asked for last is closed: whether the person picked a passkey in it. */
let dialog: Promise<boolean> = Promise.resolve(false);

/** Lets the person choose a passkey of this site and answers the server's question with it. */
export function askForPasskey(): Promise<PasskeyLoginAnswer> {
  const answer = loginQuestion().then(async ({ optionsJSON }) => {
    const { startAuthentication } = await library();
    return told(() => startAuthentication({ optionsJSON })) as Promise<PasskeyLoginAnswer>;
  });
  dialog = answer.then(
    () => true,
    () => false,
  );
  return answer;
}

/**
 * Has the browser offer the passkeys of this site at the field for a name, until the person picks one. Makes way for
 * `askForPasskey`.
 *
 * @param leaving aborted when the field goes away
 * @returns null when the browser cannot, the person has picked one in a dialog, or the field is gone
 */
export async function passkeyFromField(leaving: AbortSignal): Promise<PasskeyLoginAnswer | null> {
  if (!hasPasskeys()) return null;
  const { browserSupportsWebAuthnAutofill, startAuthentication, WebAuthnAbortService } = await library();
  if (!(await browserSupportsWebAuthnAutofill())) return null;
  return offerAtField(leaving, {
    dialog: () => dialog,
    seen: untilSeen,
    async question() {
      const { optionsJSON, lastsMs } = await loginQuestion();
      return { question: optionsJSON, lastsMs };
    },
    offer: (optionsJSON) =>
      startAuthentication({ optionsJSON, useBrowserAutofill: true }) as Promise<PasskeyLoginAnswer>,
    stop: () => WebAuthnAbortService.cancelCeremony(),
  });
}

/** A page that nobody looks at asks nothing. */
async function untilSeen(): Promise<void> {
  while (document.visibilityState === 'hidden') {
    await new Promise((seen) => document.addEventListener('visibilitychange', seen, { once: true }));
  }
}

async function loginQuestion() {
  const { options } = await send(passkeyMethods.beginPasskeyLogin, {});
  // The same fields; the library's types differ in what may be undefined, and the server parses every one of the answer.
  return { optionsJSON: options as PublicKeyCredentialRequestOptionsJSON, lastsMs: options.timeout };
}

/** Logs in with a passkey alone, which answers the server's question. */
export function enterByPasskey(response: PasskeyLoginAnswer): Promise<NewSession> {
  return send(passkeyMethods.finishPasskeyLogin, { response, session: 'cookie' });
}

/**
 * Makes a passkey for the own account.
 *
 * @returns recovery codes with the first second factor, else none
 */
export async function addPasskey(name: string): Promise<{ name: string; recovery_codes: string[] }> {
  const { options } = await send(passkeyMethods.beginPasskeyRegistration, {});
  const { startRegistration } = await library();
  // As above.
  const optionsJSON = options as PublicKeyCredentialCreationOptionsJSON;
  const response = (await told(() => startRegistration({ optionsJSON }))) as PasskeyRegistrationAnswer;
  return send(passkeyMethods.finishPasskeyRegistration, { name, response });
}

async function told<Answer>(act: () => Promise<Answer>): Promise<Answer> {
  try {
    return await act();
  } catch (cause) {
    const { name } = cause as Error;
    if (name === 'NotAllowedError' || name === 'AbortError') throw new PasskeyCancelled('cancelled', { cause });
    throw new PasskeyFailed(name, { cause });
  }
}
