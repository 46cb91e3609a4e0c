import type { NewSession } from '@heron/contract/accounts/entities.ts';
import type { PasskeyLoginAnswer, PasskeyRegistrationAnswer } from '@heron/contract/accounts/passkeyAnswer.ts';
import { passkeyMethods } from '@heron/contract/accounts/passkeyMethods.ts';
import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser';
import { send } from '../../lib/server.ts';

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

/** Lets the person choose a passkey of this site and answers the server's question with it. */
export async function askForPasskey(): Promise<PasskeyLoginAnswer> {
  const { options } = await send(passkeyMethods.beginPasskeyLogin, {});
  const { startAuthentication } = await library();
  // The same fields; the library's types differ in what may be undefined, and the server parses every one of the answer.
  const optionsJSON = options as PublicKeyCredentialRequestOptionsJSON;
  return told(() => startAuthentication({ optionsJSON })) as Promise<PasskeyLoginAnswer>;
}

/** Logs in with a passkey alone. */
export async function logInByPasskey(): Promise<NewSession> {
  return send(passkeyMethods.finishPasskeyLogin, { response: await askForPasskey(), session: 'cookie' });
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
