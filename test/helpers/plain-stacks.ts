// Ava loads this before each test file. Node erases types in place, so stack traces are right without source maps. Ava
// turns source maps on, and reading those of dependencies takes every process 0.2 s.
process.setSourceMapsEnabled(false);
