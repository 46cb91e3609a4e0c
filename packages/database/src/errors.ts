/** Errors between the program and its database. Every message is one line: the problem, then what to do. */
export class DatabaseError extends Error {
  override readonly name: string = 'DatabaseError';
}

/** The data folder cannot be created, read or written. */
export class DataFolderUnusable extends DatabaseError {
  override readonly name = 'DataFolderUnusable';
  constructor(
    folder: string,
    /** Error code of the operating system, such as `EACCES`. */
    reason: string,
    options?: ErrorOptions,
  ) {
    super(`Cannot write to ${folder} (${reason}). Choose another data folder with --data or HERON_DATA.`, options);
  }
}

/** No PostgreSQL is shipped for this operating system and processor. */
export class EmbeddedUnavailable extends DatabaseError {
  override readonly name = 'EmbeddedUnavailable';
  constructor(reason: string, options?: ErrorOptions) {
    super(`${reason} Set HERON_DATABASE_URL to a PostgreSQL server of your own.`, options);
  }
}

/** The PostgreSQL server in the data folder could not be initialised or started. */
export class EmbeddedFailed extends DatabaseError {
  override readonly name = 'EmbeddedFailed';
  constructor(doing: string, detail: string, logFile: string | null, options?: ErrorOptions) {
    super(
      `PostgreSQL could not ${doing}: ${detail}${logFile === null ? '' : ` The whole log is in ${logFile}.`}`,
      options,
    );
  }
}

/** The server at `HERON_DATABASE_URL`, or the embedded one, does not respond. */
export class DatabaseUnreachable extends DatabaseError {
  override readonly name = 'DatabaseUnreachable';
  constructor(where: string, reason: string, options?: ErrorOptions) {
    super(`Cannot reach the database ${where} (${reason}). Start it, or correct HERON_DATABASE_URL.`, options);
  }
}

/** The server may lose a commit in a power failure, so bots must not trade on it. */
export class DurabilityOff extends DatabaseError {
  override readonly name = 'DurabilityOff';
  constructor(settings: readonly string[]) {
    super(
      `The database may lose acknowledged orders in a power cut: ${settings.join(', ')} is off. Switch it on in PostgreSQL.`,
    );
  }
}

/** A newer version of Heron has changed the database. */
export class DatabaseNewer extends DatabaseError {
  override readonly name = 'DatabaseNewer';
  constructor(set: string) {
    super(
      `The database was written by a newer version of Heron (unknown migration in "${set}"). Update Heron, or restore a backup made by this version.`,
    );
  }
}

/** The database is not migrated to this version, and this program may not migrate it. */
export class DatabaseOlder extends DatabaseError {
  override readonly name = 'DatabaseOlder';
  constructor() {
    super('The database was not prepared by this version of Heron. Start this version on the first machine before.');
  }
}

/** Another running Heron uses this database. */
export class DatabaseOwned extends DatabaseError {
  override readonly name = 'DatabaseOwned';
  constructor() {
    super('Another Heron is already running on this database. Stop it first, or choose another folder with --data.');
  }
}
