/**
 * The address stays valid for 60 s, since the browser may ask for a location first and read the file only afterwards.
 */
const VALID_MS = 60_000;

/** Downloads a file in the browser. */
export function saveFile(content: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), VALID_MS);
}
