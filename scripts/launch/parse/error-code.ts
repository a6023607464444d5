/** The `code` of an error, such as ENOENT from Node or 23505 from PostgreSQL; undefined if it has none. */
export function errorCodeOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const code: unknown = Reflect.get(error, 'code');
  return typeof code === 'string' ? code : undefined;
}
