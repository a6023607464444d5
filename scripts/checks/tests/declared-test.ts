import { test } from './test-file.ts';

// biome-ignore lint/style/noDefaultExport: it takes the place of ava, which has one
export default test;
