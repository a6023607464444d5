/** What every worker answers: an error's class and code would be lost at the thread boundary. */
export type WorkerAnswer<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly code: string; readonly message: string };
