/** Who brought this visitor: the uid in the address that was shared, for the registration to tell. */
export function sourceUid(search = location.search): { source_uid?: number } {
  const uid = new URLSearchParams(search).get('source_uid') ?? '';
  return /^[1-9]\d{8}$/.test(uid) ? { source_uid: Number(uid) } : {};
}
