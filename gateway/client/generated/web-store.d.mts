// Generated from gateway/client by `npm run generate`.
import type { Store } from './store.mjs';
export type { Store, StoreEntry } from './store.mjs';
/** The part of Web Storage that is used. */
export interface WebStorage {
    readonly length: number;
    key(index: number): string | null;
    getItem(name: string): string | null;
    setItem(name: string, value: string): void;
    removeItem(name: string): void;
}
/** Keeps open payments in a browser: `createWebStore(localStorage)`. */
export declare function createWebStore(storage: WebStorage): Store;
