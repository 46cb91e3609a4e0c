import type { Plugin, Rolldown } from 'vite';

/**
 * Preloads the shell that `boot.ts` imports dynamically, with its static imports. Otherwise the browser would discover
 * the shell only after boot has loaded. boot itself stays tiny, so that the requests for the language and the session
 * start at once.
 */
export function preloadShell(shell: string): Plugin {
  return {
    name: 'heron:preload-shell',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle }) {
        if (!bundle) return [];
        const entry = Object.values(bundle).find(
          (file): file is Rolldown.OutputChunk =>
            file.type === 'chunk' && (file.facadeModuleId?.endsWith(shell) ?? false),
        );
        if (!entry) throw new Error(`No chunk holds ${shell}`);
        const files = [...staticImports(entry.fileName, bundle)];
        return [
          ...files.map((file) => ({
            tag: 'link',
            attrs: { rel: 'modulepreload', crossorigin: true, href: `/${file}` },
            injectTo: 'head' as const,
          })),
          ...styles(files, bundle).map((file) => ({
            tag: 'link',
            attrs: { rel: 'stylesheet', crossorigin: true, href: `/${file}` },
            injectTo: 'head' as const,
          })),
        ];
      },
    },
  };
}

function staticImports(file: string, bundle: Rolldown.OutputBundle, seen = new Set<string>()): Set<string> {
  const chunk = bundle[file];
  if (seen.has(file) || chunk?.type !== 'chunk') return seen;
  seen.add(file);
  for (const next of chunk.imports) staticImports(next, bundle, seen);
  return seen;
}

function styles(files: string[], bundle: Rolldown.OutputBundle): string[] {
  const found = new Set<string>();
  for (const file of files) {
    const chunk = bundle[file] as (Rolldown.OutputChunk & { viteMetadata?: { importedCss: Set<string> } }) | undefined;
    for (const css of chunk?.viteMetadata?.importedCss ?? []) found.add(css);
  }
  return [...found];
}
