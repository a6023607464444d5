// Generated from gateway/client by `npm run generate`.
import type { Store } from './store.mjs';
export type { Store, StoreEntry } from './store.mjs';
/** Keeps open payments in files of a folder, which is created if it is missing and only its owner can read. For Node. */
export declare function createFileStore(folder: string): Store;
