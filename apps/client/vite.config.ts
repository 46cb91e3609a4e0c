import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { brotli } from './vite/brotli.ts';
import { framework7Css } from './vite/framework7Css.ts';
import { preloadShell } from './vite/preloadShell.ts';

const PLATFORM = 'http://127.0.0.1:17900';

export default defineConfig(({ command }) => ({
  root: fileURLToPath(new URL('.', import.meta.url)),
  plugins: [framework7Css(), react(), preloadShell('/src/app/start.tsx'), brotli()],
  resolve: {
    alias: command === 'build' ? { zod: fileURLToPath(new URL('./vite/erasedZod.ts', import.meta.url)) } : {},
  },
  server: {
    host: '127.0.0.1',
    proxy: {
      '/api.php': PLATFORM,
      '/setup': { target: PLATFORM, bypass: (request) => (request.method === 'GET' ? '/index.html' : undefined) },
      '/bot/': {
        target: PLATFORM,
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
      output: {
        codeSplitting: {
          groups: [
            {
              name: 'vendor',
              test: /node_modules\/(react|react-dom|scheduler|framework7|framework7-react|dom7|ssr-window|@tanstack|zustand)\//,
            },
          ],
        },
      },
    },
  },
}));
