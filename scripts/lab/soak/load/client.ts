import type { Random } from '../../random.ts';
import type { Books } from '../run/books.ts';

/** The context of a simulated client. */
export interface Client {
  readonly origins: readonly [string, string];
  readonly books: Books;
  readonly random: Random;
}
