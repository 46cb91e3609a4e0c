import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { filesIn } from './sources.ts';

/** A link to a file or heading that does not exist. */
export type BrokenLink = {
  readonly file: string;
  readonly line: number;
  readonly link: string;
  readonly problem: string;
};

const ROOT = path.join(import.meta.dirname, '..');
/** A link or picture of Markdown, and the target of a link defined elsewhere. */
const MARKDOWN_LINK = /\]\(<?([^()\s>]+)>?(?: "[^"]*")?\)|^\[[^\]]+\]: (\S+)/g;
const HTML_LINK = /(?:src|href|srcset)="([^"]+)"/g;
/** A page of the documentation in a comment or text of a program. */
const PAGE_IN_SOURCE = /(?:docs\/[\w/-]+|bench\/NOTES|CONTRIBUTING|SECURITY)\.md(?:#[\w-]+)?/g;
/** Its samples name pages that do not exist. */
const TESTS_OF_LINKS = 'scripts/checkLinks.test.ts';

/**
 * Finds links in Markdown files, and names of pages in sources, whose file or heading does not exist.
 *
 * @param root folder of the checkout
 */
export function brokenLinks(root: string): BrokenLink[] {
  const anchors = new Map<string, Set<string>>();
  const problemOf = (target: string, anchor: string): string | null => {
    const file = path.join(root, target);
    if (!existsSync(file)) return `${target} does not exist`;
    if (anchor === '' || !target.endsWith('.md')) return null;
    const known = anchors.get(target) ?? anchorsOf(readFileSync(file, 'utf8'));
    anchors.set(target, known);
    return known.has(decodeURIComponent(anchor)) ? null : `${target} has no heading #${anchor}`;
  };
  const check = (file: string, base: string, patterns: readonly RegExp[]): BrokenLink[] => {
    const lines = linesWithoutCode(file, readFileSync(path.join(root, file), 'utf8'));
    return lines.flatMap((text, at) =>
      linksIn(text, patterns)
        .filter((link) => !/^(\w+:|\/)/.test(link))
        .flatMap((link) => {
          const [to = '', anchor = ''] = link.split('#');
          const problem = problemOf(to === '' ? file : path.join(base, to), anchor);
          return problem === null ? [] : [{ file, line: at + 1, link, problem }];
        }),
    );
  };
  const pages = filesIn(root, '**/*.md').flatMap((file) => check(file, path.dirname(file), [MARKDOWN_LINK, HTML_LINK]));
  const sources = filesIn(root, '{apps,bench,e2e,packages,scripts}/**/*.{ts,tsx,mjs}')
    .filter((file) => file !== TESTS_OF_LINKS)
    .flatMap((file) => check(file, '', [PAGE_IN_SOURCE]));
  return [...pages, ...sources];
}

/** Returns the anchors of a page: of its headings, as GitHub makes them, and those written as HTML. */
export function anchorsOf(text: string): Set<string> {
  const anchors = new Set<string>();
  for (const line of linesWithoutCode('a.md', text)) {
    for (const [, id = ''] of line.matchAll(/<a (?:id|name)="([^"]+)"/g)) anchors.add(id);
    const heading = /^#{1,6} +(.*?) *#*$/.exec(line)?.[1];
    if (heading === undefined) continue;
    const slug = slugOf(heading);
    let unique = slug;
    for (let count = 1; anchors.has(unique); count++) unique = `${slug}-${count}`;
    anchors.add(unique);
  }
  return anchors;
}

function slugOf(heading: string): string {
  return heading
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc} -]/gu, '')
    .replaceAll(' ', '-');
}

function linksIn(text: string, patterns: readonly RegExp[]): string[] {
  return patterns
    .flatMap((pattern) => [...text.matchAll(pattern)])
    .map(([whole, first, second]) => first ?? second ?? whole);
}

/** Lines of a file; in Markdown those inside fences are empty, since nothing in there is a link. */
function linesWithoutCode(file: string, text: string): string[] {
  if (!file.endsWith('.md')) return text.split('\n');
  let fenced = false;
  return text.split('\n').map((line) => {
    const fence = /^\s*(```|~~~)/.test(line);
    if (fence) fenced = !fenced;
    return fenced || fence ? '' : line;
  });
}

if (import.meta.main) {
  for (const { file, line, link, problem } of brokenLinks(ROOT)) {
    console.error(`${file}:${line}  ${link}: ${problem}`);
    process.exitCode = 1;
  }
}
