import type { Store } from './store.ts';

export type { Store, StoreEntry } from './store.ts';

/** The part of Web Storage that is used. */
export interface WebStorage {
  readonly length: number;
  key(index: number): string | null;
  getItem(name: string): string | null;
  setItem(name: string, value: string): void;
  removeItem(name: string): void;
}

/** Keeps open payments in a browser: `createWebStore(localStorage)`. */
export function createWebStore(storage: WebStorage): Store {
  return {
    async set(name, value) {
      storage.setItem(name, value);
    },
    async delete(name) {
      storage.removeItem(name);
    },
    async list(prefix) {
      const names = Array.from({ length: storage.length }, (_, index) => storage.key(index) ?? '');
      return names
        .filter((name) => name.startsWith(prefix))
        .map((name) => ({ name, value: storage.getItem(name) ?? '' }));
    },
  };
}
