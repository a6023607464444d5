/**
 * Whether a text in the form of an instant is a real one: 30 February does not exist. The year 0 is refused too, because
 * PostgreSQL does not have it (ISO 8601 does).
 */
export function isInstant(text: string): boolean {
  const seconds = text.slice(0, 19);
  const milliseconds = Date.parse(`${seconds}Z`);
  if (Number.isNaN(milliseconds) || seconds.startsWith('0000')) return false;
  return new Date(milliseconds).toISOString().startsWith(seconds);
}
