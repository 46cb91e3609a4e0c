/** An error that the person who starts a sandbox can correct. `code` is stable. */
export class SandboxError extends Error {
  readonly code: 'PORT_TAKEN' | 'CANNOT_LISTEN' | 'FOLDER_IN_USE' | 'FOLDER_UNUSABLE' | 'SEED_DIFFERS';

  constructor(code: SandboxError['code'], message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'SandboxError';
    this.code = code;
  }
}
