// For `npx ava FILE` alone. `npm test` runs many files in one process (scripts/checks/tests).
export default {
  files: ['test/**/*.test.ts'],
  extensions: { ts: 'module' },
  workerThreads: false,
  require: ['./test/kit/end-after-tests.ts'],
  timeout: '24h',
};
