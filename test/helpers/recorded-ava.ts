import { recordedTest } from './grouped-tests.ts';

// Resolved in place of ava, once for each file of a group.
const path = new URL(import.meta.url).searchParams.get('file');
if (path === null) throw new Error('no test file is named');
const title = path
  .replace(/^test\//, '')
  .replace(/\.test\.ts$/, '')
  .replaceAll('/', ' › ');

// biome-ignore lint/style/noDefaultExport: ava has one
export default recordedTest(title);
