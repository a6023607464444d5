import type { Books } from '../run/books.ts';
import type { Random } from '../run/random.ts';

/** What a simulated client works with. */
export interface Client {
  readonly origins: readonly [string, string];
  readonly books: Books;
  readonly random: Random;
}
