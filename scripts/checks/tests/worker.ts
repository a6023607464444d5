// Runs test files of the checkout in its argument, one after the other, as its parent names them. The modules that they share
// are loaded once.
import { registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';
import { defined } from '../../../workers/exact/defined.ts';
import { runTestFile, type TestFile } from './test-file.ts';

const root = defined(process.argv[2]);
const sources = pathToFileURL(root).href;
const OWN_TEST = new URL('declared-test.ts', import.meta.url).href;

registerHooks({
  resolve(specifier, context, nextResolve) {
    const isOurs = context.parentURL?.startsWith(sources) === true && !context.parentURL.includes('/node_modules/');
    if (specifier !== 'ava' || !isOurs) return nextResolve(specifier, context);
    return { url: OWN_TEST, format: 'module-typescript', shortCircuit: true };
  },
});

// The parent was killed: whatever was started here ends with this process.
process.once('disconnect', () => process.exit(1));
process.on('message', async (file: TestFile | 'end') => {
  if (file === 'end') process.exit(0);
  // A test that waits for nothing ends the process, instead of hanging.
  process.channel?.unref();
  await runTestFile(root, file, (event) => process.send?.(event));
  process.channel?.ref();
});
