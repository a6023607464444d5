import { fileURLToPath } from 'node:url';

export default {
  files: ['test/**/*.test.ts'],
  extensions: { ts: 'module' },
  require: ['./test/helpers/plain-stacks.ts', './test/helpers/time-file.ts', './test/helpers/hang-watch.ts'],
  workerThreads: false,
  // Many files wait for other processes and for deadlines: others have the processors meanwhile.
  concurrency: 6,
  // test/helpers/hang-watch.ts ends what hangs.
  timeout: '24h',
  // Every test file is a process of its own, and some start dozens: most of that time goes into compiling.
  environmentVariables: { NODE_COMPILE_CACHE: fileURLToPath(new URL('.cache/compiled', import.meta.url)) },
};
