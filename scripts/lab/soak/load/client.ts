import type { Books } from '../run/books.ts';
import type { Random } from '../run/random.ts';

/** The context of a simulated client. */
export interface Client {
  readonly origins: readonly [string, string];
  readonly books: Books;
  readonly random: Random;
}
