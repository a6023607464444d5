import test from 'ava';
import { completeLock } from '../../../scripts/generate/platform-stubs.ts';

const packages = {
  '': {},
  'node_modules/tool': {
    version: '2.0.0',
    dev: true,
    optionalDependencies: {
      '@tool/cli-linux-x64-musl': '2.0.0',
      '@tool/cli-darwin-arm64': '^2.0.0',
      'tool-linux-x64': '2.0.0',
    },
  },
  'node_modules/tool-linux-x64': { version: '2.0.0', optional: true },
};

test('a missing package of another platform gets an entry without URL and digest', (t) => {
  const { packages: completed } = completeLock({ packages });
  t.deepEqual(completed, {
    ...packages,
    'node_modules/@tool/cli-darwin-arm64': {
      version: '2.0.0',
      cpu: ['arm64'],
      dev: true,
      optional: true,
      os: ['darwin'],
    },
    'node_modules/@tool/cli-linux-x64-musl': {
      version: '2.0.0',
      cpu: ['x64'],
      dev: true,
      libc: ['musl'],
      optional: true,
      os: ['linux'],
    },
  });
});

test('a complete lock is not changed', (t) => {
  const once = completeLock({ packages });
  t.is(JSON.stringify(completeLock(once)), JSON.stringify(once));
});

test('a missing package whose name does not show a platform is an error', (t) => {
  const lock = { packages: { '': { optionalDependencies: { fsevents: '1.0.0' } } } };
  t.throws(() => completeLock(lock), { message: /fsevents/ });
});

test('a package inside its dependent is not missing', (t) => {
  const lock = {
    packages: {
      'node_modules/a': { optionalDependencies: { 'b-linux-x64': '1.0.0' } },
      'node_modules/a/node_modules/b-linux-x64': { version: '1.0.0' },
    },
  };
  t.deepEqual(completeLock(lock), lock);
});
