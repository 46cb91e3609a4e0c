/**
 * Version of a saved session, on paper and live. It is raised when a field that was there before changes its shape or its
 * meaning, together with an upgrade step; a field that is only new needs neither.
 */
export const STATE_VERSION = 6;

/** A session saved by a newer version of this program. Nothing of it is read; run the bot with the newer program. */
export class SessionTooNew extends Error {
  /** Version of the saved session. */
  readonly version: number;

  constructor(version: number) {
    super(
      `the bot was saved by a newer program: version ${version} of its state, here up to ${STATE_VERSION} is known`,
    );
    this.name = 'SessionTooNew';
    this.version = version;
  }
}

/** @throws SessionTooNew when a newer version of this program saved the session */
export function checkVersion(version: number): void {
  if (version > STATE_VERSION) throw new SessionTooNew(version);
}
