import { openInstallation } from '../installation/openInstallation.ts';
import { accessTo, unknownText } from '../installation/venueAccess.ts';
import { examine, type Finding } from './examine.ts';
import { examineVenues, type VenueFinding } from './examineVenues.ts';

/** All that the doctor has found. */
export interface Examination {
  readonly findings: readonly Finding[];
  readonly venues: readonly VenueFinding[];
  /** Why proxies that are set in the app are not known; null when they are. */
  readonly appProxies: string | null;
}

/** Examines this machine and the route to every venue, as the Heron of the data folder reaches it. */
export async function examineAll(subject: {
  readonly dataFolder: string;
  readonly databaseUrl: string | null;
}): Promise<Examination> {
  const installation = await openInstallation(subject.dataFolder);
  try {
    const [findings, venues] = await Promise.all([
      examine(subject),
      examineVenues((venue) => accessTo(venue, installation)),
    ]);
    return { findings, venues, appProxies: unknownText(installation) };
  } finally {
    await installation.close();
  }
}
