const NAME = /<meta name="heron-build" content="(\w+)">/;

/** Name of the build that runs here; `''` while developing. */
export function ownBuild(): string {
  return document.querySelector<HTMLMetaElement>('meta[name=heron-build]')?.content ?? '';
}

/** Whether the server has another build by now, whose files are not those of this one. */
export async function isOutdated(): Promise<boolean> {
  try {
    const page = await fetch('/index.html', { cache: 'no-cache', credentials: 'same-origin' });
    const name = NAME.exec(await page.text())?.[1];
    return page.ok && name !== undefined && name !== ownBuild();
  } catch {
    return false;
  }
}
