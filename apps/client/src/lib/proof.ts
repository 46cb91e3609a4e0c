import { ApiError } from './api.ts';

/** The user closed the dialog for a fresh proof. The action was not carried out, and no error is shown. */
export class ProofCancelled extends Error {
  override readonly name = 'ProofCancelled';
}

/** Asks the user for a fresh proof. It resolves with whether the user gave one. */
type Question = () => Promise<boolean>;

let ask: Question | undefined;
/** This is the open dialog, which concurrent actions share. */
let open: Promise<boolean> | undefined;

/** Sets the dialog that requests a fresh proof. The app calls this once. */
export function provideProof(question: Question): void {
  ask = question;
}

/**
 * Carries out an action that may need a fresh proof. When the server requires one, requests it and retries the action.
 *
 * @throws ProofCancelled when the person closes the dialog; any error of `act`
 */
export async function proven<Result>(act: () => Promise<Result>): Promise<Result> {
  try {
    return await act();
  } catch (error) {
    if (ask === undefined || !(error instanceof ApiError) || error.code !== 'proof_needed') throw error;
    open ??= ask().finally(() => {
      open = undefined;
    });
    if (!(await open)) throw new ProofCancelled('cancelled', { cause: error });
    return act();
  }
}
