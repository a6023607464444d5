/** Ends `npm run try` with a message for the user. */
export class TryError extends Error {
  override readonly name = 'TryError';
}
