/** What every worker answers. Errors are returned because a thrown one loses its class and code at the thread boundary. */
export type WorkerAnswer<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly code: string; readonly message: string };
