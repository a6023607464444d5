export default {
  files: ['test/**/*.test.ts'],
  extensions: { ts: 'module' },
  workerThreads: false,
  concurrency: 3,
  timeout: '120s',
};
