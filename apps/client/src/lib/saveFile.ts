/** A browser may ask its user where to put a file, and reads it only then. */
const KEPT_MS = 60_000;

/** Gives a file to the browser to save. */
export function saveFile(content: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), KEPT_MS);
}
