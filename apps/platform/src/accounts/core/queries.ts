import type { Database } from '@heron/database/connect.ts';

/** The database, or a transaction in it. */
export type Queries = Pick<Database['orm'], 'select' | 'insert' | 'update' | 'delete'>;
