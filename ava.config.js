export default {
  files: ['test/**/*.test.ts'],
  extensions: { ts: 'module' },
  workerThreads: false,
  concurrency: 2,
  timeout: '120s',
};
