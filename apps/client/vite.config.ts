import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import client from './package.json' with { type: 'json' };
import { brotli } from './vite/brotli.ts';
import { erasedSchemas } from './vite/erasedSchemas.ts';
import { preloadShell } from './vite/preloadShell.ts';
import { PURE_ZOD, pureZod } from './vite/pureZod.ts';
import { serviceWorker } from './vite/serviceWorker.ts';
import { sharedChunks } from './vite/sharedChunks.ts';

/** Keeps the browser's Host, which the platform compares with Origin; the short form of a proxy would change it. */
const PLATFORM = { target: 'http://127.0.0.1:17900', changeOrigin: false };

export default defineConfig(({ command }) => ({
  root: fileURLToPath(new URL('.', import.meta.url)),
  define: { 'import.meta.env.VITE_HERON_VERSION': JSON.stringify(client.version) },
  plugins: [
    erasedSchemas(),
    pureZod(),
    react(),
    preloadShell('/src/app/start.tsx'),
    serviceWorker(fileURLToPath(new URL('./src/sw/worker.ts', import.meta.url))),
    brotli(),
  ],
  resolve: {
    alias: command === 'build' ? { zod: fileURLToPath(new URL('./vite/erasedZod.ts', import.meta.url)) } : {},
  },
  server: {
    host: '127.0.0.1',
    proxy: {
      '/api/': PLATFORM,
      '/bot/': {
        ...PLATFORM,
        ws: true,
        // Pages of one bot live under /bot/{id}/, calls of the bot host under /bot/bots, /bot/markets …
        bypass: (request) => (request.headers.accept?.includes('text/html') ? '/index.html' : undefined),
      },
    },
  },
  build: {
    chunkSizeWarningLimit: 600,
    target: 'es2022',
    manifest: true,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      // Removes schemas without references, and loads from packages without side effects only what is used.
      treeshake: {
        manualPureFunctions: [PURE_ZOD],
        propertyReadSideEffects: false,
        moduleSideEffects: [{ test: /\/packages\/(contract|engine)\/src\//, sideEffects: false }],
      },
      output: {
        codeSplitting: {
          groups: [
            {
              name: 'vendor',
              test: /node_modules\/(react|react-dom|scheduler|@tanstack\/(react-query|query-core)|zustand)\//,
            },
            ...sharedChunks(),
          ],
        },
      },
    },
  },
}));
