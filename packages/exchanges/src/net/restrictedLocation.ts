/** Phrases with which exchanges, and the CDNs before them, refuse a location. */
const WORDS =
  /restricted location|b\. Eligibility|block access from your country|(?:not|un)available in your (?:country|region|location)|your (?:country|region) is (?:restricted|not supported)/i;
/** Page with which the CDN before MEXC refuses; the exchange's own refusals are JSON. */
const DENIED_PAGE = /<title>\s*Access Denied\s*<\/title>/i;

/** Whether a response means that the exchange does not serve this location. */
export function isRestrictedLocation(status: number, body: string): boolean {
  if (status === 451) return true;
  return status === 403 && (WORDS.test(body) || DENIED_PAGE.test(body));
}
