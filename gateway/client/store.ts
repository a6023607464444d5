/**
 * Keeps every payment whose outcome is open, what each channel was charged, and the idempotency keys of calls of `plans`: by
 * it, a process that died sends the same bytes again. A value can pay for its one request, so keep a store private. To give
 * up on a payment after its outcome was clarified, delete its name, and for a call of a channel, use `channels.giveUp`.
 */
export interface Store {
  /** Resolves when the value is durable. A name is at most 160 of `a-z 0-9 . -`. */
  set(name: string, value: string): Promise<void>;
  delete(name: string): Promise<void>;
  /** Every entry whose name starts with `prefix`. */
  list(prefix: string): Promise<readonly StoreEntry[]>;
}

export interface StoreEntry {
  readonly name: string;
  readonly value: string;
}
