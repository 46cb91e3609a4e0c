import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { pageText } from './checkPage.ts';

const SAVED = path.join(import.meta.dirname, 'pictures');
/** Pictures are saved at half size: still readable for a person, and a quarter of the bytes. */
const SHRINK = 2;
/**
 * Radius in px. A pixel matches when its colour lies between the other picture's colours within this radius, so small shifts
 * are ignored.
 */
const RADIUS = 1;
/** A pixel also matches when each colour channel differs by at most this, of 255, as with smoothed letters. */
const TOLERANCE = 8;
/** Maximum number of different pixels. A word in another language differs by 61. */
const MAX_PIXELS = 40;
/**
 * Maximum for another Chromium version, which may render letters and edges differently. A card moved by 12 px differs by
 * 22,000.
 */
const MAX_PIXELS_OTHER_VERSION = 3_000;
/** Names the Chromium version that rendered the saved pictures. */
const RENDERED_BY = path.join(SAVED, 'drawn-by.txt');
/** Timeout in ms for content that is still loading. */
const TIMEOUT_MS = 6_000;

/** Receives the pictures that differ. It is no temporary folder, because tests delete those. */
const DIFFERENCES = path.join(SAVED, 'different');

/**
 * Compares the page with the saved picture of this name; HERON_PICTURES=update saves it instead.
 *
 * @param comparisonPage an empty page, in which the comparison runs
 * @returns null when the page matches, else a message that names the picture of the differences
 */
export async function comparePicture(page: Page, comparisonPage: Page, name: string): Promise<string | null> {
  const file = path.join(SAVED, `${name}.png`);
  const version = comparisonPage.context().browser()?.version() ?? '';
  if (process.env.HERON_PICTURES === 'update') {
    await writeFile(file, await settledPicture(page, comparisonPage), 'base64');
    await writeFile(RENDERED_BY, `${version}\n`);
    return null;
  }
  const maxPixels = (await readFile(RENDERED_BY, 'utf8')).trim() === version ? MAX_PIXELS : MAX_PIXELS_OTHER_VERSION;
  const saved = await readFile(file, 'base64').catch(() => null);
  if (saved === null) return `${file} is missing; \`npm run pictures:update\` makes it.`;
  const until = Date.now() + TIMEOUT_MS;
  let seen: Difference;
  do seen = await differenceOf(comparisonPage, saved, await shrunk(page, comparisonPage));
  while (seen.pixels > maxPixels && Date.now() < until);
  if (seen.pixels <= maxPixels) return null;
  await mkdir(DIFFERENCES, { recursive: true });
  const pageFile = path.join(DIFFERENCES, `${name}.png`);
  const comparisonFile = path.join(DIFFERENCES, `${name}-difference.png`);
  await page.screenshot({ path: pageFile });
  await writeFile(comparisonFile, seen.picture, 'base64');
  const { left, top, right, bottom } = seen;
  return [
    `${name} differs in ${seen.pixels} pixels (at most ${maxPixels} allowed), from ${left},${top} to ${right},${bottom}.`,
    await pageText(page),
    `The page is saved in ${pageFile}, the comparison in ${comparisonFile}.`,
    'If the change is intended, `npm run pictures:update` saves it.',
  ].join(' ');
}

/** Returns a picture of the page once two successive pictures are equal, so that no change is pending. */
async function settledPicture(page: Page, comparisonPage: Page): Promise<string> {
  let [before, now] = ['', await shrunk(page, comparisonPage)];
  while (before !== now) [before, now] = [now, await shrunk(page, comparisonPage)];
  return now;
}

/** Returns a picture of the page at the size of the saved pictures. @returns PNG, base64 */
async function shrunk(page: Page, comparisonPage: Page): Promise<string> {
  const png = await page.screenshot({ animations: 'disabled' });
  return comparisonPage.evaluate(
    async ([base64, by]) => {
      const image = new Image();
      image.src = `data:image/png;base64,${base64}`;
      await image.decode();
      const canvas = document.createElement('canvas');
      [canvas.width, canvas.height] = [image.width / by, image.height / by];
      const context = canvas.getContext('2d', { willReadFrequently: true }) as CanvasRenderingContext2D;
      // Computes the exact mean of the merged pixels, because the scaling of `drawImage` depends on the browser.
      const full = new OffscreenCanvas(image.width, image.height).getContext('2d') as OffscreenCanvasRenderingContext2D;
      full.drawImage(image, 0, 0);
      const { data, width } = full.getImageData(0, 0, image.width, image.height);
      const small = context.createImageData(canvas.width, canvas.height);
      for (let at = 0; at < small.data.length; at++) {
        const [x, y] = [Math.floor(at / 4) % small.width, Math.floor(at / 4 / small.width)];
        let sum = 0;
        for (let row = y * by; row < (y + 1) * by; row++)
          for (let column = x * by; column < (x + 1) * by; column++)
            sum += data[4 * (row * width + column) + (at % 4)] ?? 0;
        small.data[at] = Math.round(sum / by / by);
      }
      context.putImageData(small, 0, 0);
      return canvas.toDataURL('image/png').slice('data:image/png;base64,'.length);
    },
    [png.toString('base64'), SHRINK] as const,
  );
}

interface Difference {
  /** Number of different pixels. */
  readonly pixels: number;
  /** The smallest rectangle around the different pixels. */
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
  /** The saved picture, the current one, and the current one with differences in red, side by side; PNG, base64. */
  readonly picture: string;
}

/** Compares two pictures, both PNG in base64. */
function differenceOf(comparisonPage: Page, saved: string, seen: string): Promise<Difference> {
  return comparisonPage.evaluate(
    async ([pictures, radius, tolerance]) => {
      const images = pictures.map((base64) => {
        const image = new Image();
        image.src = `data:image/png;base64,${base64}`;
        return image;
      });
      await Promise.all(images.map((image) => image.decode()));
      const width = Math.max(...images.map((image) => image.width));
      const height = Math.max(...images.map((image) => image.height));
      const canvas = document.createElement('canvas');
      [canvas.width, canvas.height] = [3 * width, height];
      const context = canvas.getContext('2d', { willReadFrequently: true }) as CanvasRenderingContext2D;
      // Where one picture is smaller, its missing pixels are transparent and differ from all others.
      [0, 1, 1].forEach((which, place) => {
        context.drawImage(images[which] as HTMLImageElement, place * width, 0);
      });
      const dataOf = (which: number) => context.getImageData(which * width, 0, width, height).data;
      const [one, other] = [dataOf(0), dataOf(1)];
      /** Returns by how much a pixel lies outside the range of the other picture's neighbouring pixels. */
      const outside = (of: Uint8ClampedArray, there: Uint8ClampedArray, x: number, y: number) => {
        let distance = 0;
        for (let colour = 0; colour < 4; colour++) {
          let [min, max] = [255, 0];
          for (let row = Math.max(0, y - radius); row <= Math.min(height - 1, y + radius); row++)
            for (let column = Math.max(0, x - radius); column <= Math.min(width - 1, x + radius); column++) {
              const value = there[4 * (row * width + column) + colour] ?? 0;
              if (value < min) min = value;
              if (value > max) max = value;
            }
          const value = of[4 * (y * width + x) + colour] ?? 0;
          distance = Math.max(distance, min - value, value - max);
        }
        return distance;
      };
      context.fillStyle = 'rgb(255 255 255 / 70%)';
      context.fillRect(2 * width, 0, width, height);
      context.fillStyle = 'red';
      let pixels = 0;
      let [left, top, right, bottom] = [width, height, 0, 0];
      for (let y = 0; y < height; y++)
        for (let x = 0; x < width; x++) {
          if (outside(one, other, x, y) <= tolerance && outside(other, one, x, y) <= tolerance) continue;
          pixels++;
          [left, top, right, bottom] = [Math.min(left, x), Math.min(top, y), Math.max(right, x), Math.max(bottom, y)];
          context.fillRect(2 * width + x, y, 1, 1);
        }
      const picture = canvas.toDataURL('image/png').slice('data:image/png;base64,'.length);
      return { pixels, left, top, right, bottom, picture };
    },
    [[saved, seen], RADIUS, TOLERANCE] as const,
  );
}
