import test from 'ava';
import { readOptions, UsageError } from '../../../../scripts/lab/load/options.ts';
import { isLoopback } from '../../../../scripts/lab/load/target/loopback.ts';

test('a mix, rates and numbers in flight are read', (t) => {
  const { mix, steps, page } = readOptions([
    'trial=6,probe=2',
    '--rate',
    '10,20',
    '--in-flight',
    '8',
    '--seconds',
    '3',
  ]);
  t.deepEqual(mix, [
    { name: 'trial', weight: 6 },
    { name: 'probe', weight: 2 },
  ]);
  t.deepEqual(steps, [
    { kind: 'closed', inFlight: 8, durationMs: 3000 },
    { kind: 'open', ratePerSecond: 10, durationMs: 3000 },
    { kind: 'open', ratePerSecond: 20, durationMs: 3000 },
  ]);
  t.true(Buffer.byteLength(page) > 1900 && Buffer.byteLength(page) < 2100);
});

test('visitors of the site are optional', (t) => {
  t.is(readOptions(['--rate', '1']).visitors, undefined);
  t.is(readOptions(['--rate', '1', '--visitors', '20']).visitors, 20);
});

test('there are as many channels as calls in flight, or a given number', (t) => {
  const channelsOf = (...args: readonly string[]) => readOptions(args).channels;
  t.is(channelsOf('--in-flight', '8,100'), 100);
  t.is(channelsOf('--in-flight', '8', '--rate', '10'), 64);
  t.is(channelsOf('--in-flight', '8', '--find-capacity', '10'), 64);
  t.is(channelsOf('--rate', '10', '--channels', '3'), 3);
});

test('a commit to compare with is read, with its rounds', (t) => {
  const besideOf = (...args: readonly string[]) => readOptions(['--in-flight', '8', ...args]).beside;
  t.is(besideOf(), undefined);
  t.deepEqual(besideOf('--beside', 'HEAD~3'), { ref: 'HEAD~3', rounds: 6, channels: undefined });
  t.deepEqual(besideOf('--beside', 'main', '--rounds', '7', '--channels', '3'), {
    ref: 'main',
    rounds: 7,
    channels: 3,
  });
});

for (const args of [
  [],
  ['--rate', '0'],
  ['--rate', '10,'],
  ['--rate', 'fast'],
  ['--rate', '1', '--visitors', '0'],
  ['walk', '--rate', '1'],
  ['trial=0', '--rate', '1'],
  ['trial', 'probe', '--rate', '1'],
  ['--rate', '1', '--seconds', '1e9'],
  ['--rate', '1', '--threads', '1.5'],
  ['--rate', '1', '--url', 'file:///etc/passwd'],
  ['--rate', '1', '--overload', '2'],
  ['--rate', '1', '--fast'],
  ['--beside', 'HEAD'],
  ['--beside', 'HEAD', '--rate', '1'],
  ['--in-flight', '1', '--rounds', '2'],
  ['--in-flight', '1', '--beside', 'HEAD', '--rounds', '0'],
  ['--in-flight', '1', '--beside', 'HEAD', '--rounds', '101'],
  ['--in-flight', '1', '--beside', 'HEAD', '--url', 'http://127.0.0.1:1'],
  ['--in-flight', '1', '--beside', 'HEAD', '--against', 'load.json'],
  ['trial=2,probe', '--in-flight', '1', '--beside', 'HEAD'],
  ['trial,trial', '--in-flight', '1', '--beside', 'HEAD'],
]) {
  test(`the arguments ${JSON.stringify(args)} are refused`, (t) => {
    t.throws(() => readOptions(args), { instanceOf: UsageError });
  });
}

test('a remote server needs two options', (t) => {
  const remote = ['--rate', '1', '--url', 'http://192.0.2.1'];
  t.false(readOptions([...remote, '--remote']).isRemoteAllowed);
  t.false(readOptions([...remote, '--yes-load-a-remote-server']).isRemoteAllowed);
  t.true(readOptions([...remote, '--remote', '--yes-load-a-remote-server']).isRemoteAllowed);
});

test('only addresses of this machine are loopback', async (t) => {
  for (const host of ['127.0.0.1', '127.8.9.1', '[::1]']) t.true(await isLoopback(host), host);
  for (const host of ['192.0.2.1', '[2001:db8::1]', '0.0.0.0', '128.0.0.1']) t.false(await isLoopback(host), host);
});
