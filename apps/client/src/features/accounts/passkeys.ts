import type { NewSession } from '@heron/contract/accounts/entities.ts';
import type { PasskeyLoginAnswer, PasskeyRegistrationAnswer } from '@heron/contract/accounts/passkeyAnswer.ts';
import { passkeyMethods } from '@heron/contract/accounts/passkeyMethods.ts';
import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser';
import { send } from '../../lib/server.ts';
import { offerAtField } from './offerAtField.ts';

/** Returns whether passkeys are available: they require HTTPS or this machine. */
export const hasPasskeys = (): boolean => isSecureContext && typeof PublicKeyCredential === 'function';

/**
 * Returns the address on this machine that supports passkeys, when Heron was opened by an IP address: browsers require
 * a host name. Returns null where the address is right, or where only the operator knows the right one.
 */
export function addressForPasskeys({ hostname, port }: { hostname: string; port: string } = location): string | null {
  return /^(127\.[\d.]+|\[::1\])$/.test(hostname) ? `http://localhost:${port || 80}` : null;
}

/** The user closed the browser's dialog, or it timed out: no error is shown. */
export class PasskeyCancelled extends Error {}

/** The browser could not use or create a passkey here. */
export class PasskeyFailed extends Error {}

const library = () => import('@simplewebauthn/browser');

/** Settles when the most recent dialog is closed, with whether the user picked a passkey. */
let dialog: Promise<boolean> = Promise.resolve(false);

/** Shows the browser's dialog for a passkey of this site and signs the server's challenge with it. */
export function askForPasskey(): Promise<PasskeyLoginAnswer> {
  const answer = loginQuestion().then(async ({ optionsJSON }) => {
    const { startAuthentication } = await library();
    return withPasskeyErrors(() => startAuthentication({ optionsJSON })) as Promise<PasskeyLoginAnswer>;
  });
  dialog = answer.then(
    () => true,
    () => false,
  );
  return answer;
}

/**
 * Offers the passkeys of this site at the account field until the user picks one. Yields to `askForPasskey`.
 *
 * @param removed aborted when the field is removed
 * @returns null when the browser cannot, the person has picked one in a dialog, or the field is gone
 */
export async function passkeyFromField(removed: AbortSignal): Promise<PasskeyLoginAnswer | null> {
  if (!hasPasskeys()) return null;
  const { browserSupportsWebAuthnAutofill, startAuthentication, WebAuthnAbortService } = await library();
  if (!(await browserSupportsWebAuthnAutofill())) return null;
  return offerAtField(removed, {
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

/** Waits until the page is visible, so that a hidden page sends no request. */
async function untilSeen(): Promise<void> {
  while (document.visibilityState === 'hidden') {
    await new Promise((seen) => document.addEventListener('visibilitychange', seen, { once: true }));
  }
}

async function loginQuestion() {
  const { options } = await send(passkeyMethods.beginPasskeyLogin, {});
  // The fields are the same. The library's types differ in which fields may be undefined, and the server parses every
  // field of the response.
  return { optionsJSON: options as PublicKeyCredentialRequestOptionsJSON, lastsMs: options.timeout };
}

/** Signs in with a passkey alone, by its response to the server's challenge. */
export function signInByPasskey(response: PasskeyLoginAnswer): Promise<NewSession> {
  return send(passkeyMethods.finishPasskeyLogin, { response, session: 'cookie' });
}

/**
 * Creates a passkey for the own account.
 *
 * @returns recovery codes with the first second factor, else none
 */
export async function addPasskey(name: string): Promise<{ name: string; recoveryCodes: string[] }> {
  const { options } = await send(passkeyMethods.beginPasskeyRegistration, {});
  const { startRegistration } = await library();
  // The cast is safe for the reason given in `loginQuestion`.
  const optionsJSON = options as PublicKeyCredentialCreationOptionsJSON;
  const response = (await withPasskeyErrors(() => startRegistration({ optionsJSON }))) as PasskeyRegistrationAnswer;
  return send(passkeyMethods.finishPasskeyRegistration, { name, response });
}

async function withPasskeyErrors<Answer>(act: () => Promise<Answer>): Promise<Answer> {
  try {
    return await act();
  } catch (cause) {
    const { name } = cause as Error;
    if (name === 'NotAllowedError' || name === 'AbortError') throw new PasskeyCancelled('cancelled', { cause });
    throw new PasskeyFailed(name, { cause });
  }
}
