/** Code of the system error or undici error that made `fetch` fail, such as ECONNREFUSED; undefined where it has none. */
export function causeCodeOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !(error.cause instanceof Error) || !('code' in error.cause)) return undefined;
  const { code } = error.cause;
  return typeof code === 'string' ? code : undefined;
}
