const NAME = /<meta name="heron-build" content="(\w+)">/;

/** Returns the name of the running build; `''` in development. */
export function ownBuild(): string {
  return document.querySelector<HTMLMetaElement>('meta[name=heron-build]')?.content ?? '';
}

/** Returns whether the server now has another build, whose files differ from those of this one. */
export async function isBuildOutdated(): Promise<boolean> {
  try {
    const page = await fetch('/index.html', { cache: 'no-cache', credentials: 'same-origin' });
    const name = NAME.exec(await page.text())?.[1];
    return page.ok && name !== undefined && name !== ownBuild();
  } catch {
    return false;
  }
}
