import { defineConfig } from 'drizzle-kit';

export default defineConfig({
  dialect: 'postgresql',
  schema: './src/schema/accounts.ts',
  out: './migrations/accounts',
});
