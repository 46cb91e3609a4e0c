import { ApiError } from './api.ts';

/** The person closed the dialog for a fresh proof. The action was not done, and no error is shown. */
export class ProofCancelled extends Error {
  override readonly name = 'ProofCancelled';
}

/** Asks for a fresh proof; resolves with whether it was given. */
type Question = () => Promise<boolean>;

let ask: Question | undefined;
/** The open question, which concurrent actions share. */
let open: Promise<boolean> | undefined;

/** Sets the dialog that asks for a proof; the app does this once. */
export function provideProof(question: Question): void {
  ask = question;
}

/**
 * Carries out an action that may need a fresh proof. Asks for one when the server requires it, then tries again.
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
