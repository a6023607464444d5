/**
 * Whether a text that has the form of an instant is one: there is no 30 February. Nor a year 0, which PostgreSQL does
 * not have (ISO 8601 does).
 */
export function isInstant(text: string): boolean {
  const seconds = text.slice(0, 19);
  const milliseconds = Date.parse(`${seconds}Z`);
  if (Number.isNaN(milliseconds) || seconds.startsWith('0000')) return false;
  return new Date(milliseconds).toISOString().startsWith(seconds);
}
