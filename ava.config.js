import { fileURLToPath } from 'node:url';

export default {
  files: ['test/**/*.test.ts'],
  extensions: { ts: 'module' },
  require: ['./test/helpers/plain-stacks.ts', './test/helpers/time-file.ts'],
  workerThreads: false,
  // Some files wait for deadlines to pass: the others have the processors meanwhile.
  concurrency: 3,
  timeout: '120s',
  // Every test file is a process of its own, and some start dozens: most of that time goes into compiling.
  environmentVariables: { NODE_COMPILE_CACHE: fileURLToPath(new URL('.cache/compiled', import.meta.url)) },
};
