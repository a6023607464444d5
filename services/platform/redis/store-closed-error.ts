/**
 * The store is closed until an operator has decided. The message may be published. It has a file of its own, because
 * processes without Redis import it, and would load 600 modules of the client with it.
 */
export class StoreClosedError extends Error {
  override readonly name: string = 'StoreClosedError';
}
