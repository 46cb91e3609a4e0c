/// <reference types="vite/client" />

interface ImportMetaEnv {
  /** Version of this Heron, from the package file. */
  readonly VITE_HERON_VERSION: string;
}
