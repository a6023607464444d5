// Loaded by ava before a test file. Types are erased in place, so stacks are right without source maps, and to read
// those of dependencies, as ava has Node do, costs every process a fifth of a second.
process.setSourceMapsEnabled(false);
