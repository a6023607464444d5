import type { Books } from '../books.ts';
import type { Random } from '../random.ts';

/** What a simulated client works with. */
export interface Client {
  readonly origins: readonly [string, string];
  readonly books: Books;
  readonly random: Random;
}
