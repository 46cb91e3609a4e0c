/** Returns the uid of the inviting member from the shared address; the sign-up sends it. */
export function referrerUid(search = location.search): { referrerUid?: number } {
  const uid = new URLSearchParams(search).get('source_uid') ?? '';
  return /^[1-9]\d{8}$/.test(uid) ? { referrerUid: Number(uid) } : {};
}
