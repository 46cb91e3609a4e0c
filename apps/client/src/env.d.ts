/// <reference types="vite/client" />

declare module 'framework7-react/shared/plugin.js' {
  import type { Framework7Plugin } from 'framework7/types';

  const plugin: Framework7Plugin;
  export default plugin;
}
