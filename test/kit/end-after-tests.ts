import { registerCompletionHandler } from 'ava';

// What files of one process share lasts as long as the process, so it would keep ava's process of a single file alive.
registerCompletionHandler(() => process.exit());
