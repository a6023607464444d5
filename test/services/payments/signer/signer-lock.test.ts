import test from 'ava';
import { createLock, LockError } from '../../../../services/payments/signer/signer-lock.ts';
import type { LockSession, LockSessions } from '../../../../services/store/recurring/lock-session.ts';

/** Sessions whose locks are free after some tries. */
function open({ busy = 0, fails = false, unlockFails = false } = {}) {
  const asked: string[] = [];
  let tries = 0;
  const session: LockSession = {
    lost: new AbortController().signal,
    async tryLock(name) {
      asked.push(`try ${name}`);
      tries += 1;
      if (fails) throw new Error('the session is gone');
      return tries > busy;
    },
    async unlock(name) {
      asked.push(`unlock ${name}`);
      if (unlockFails) throw new Error('the session is gone');
    },
    query: () => Promise.reject(new Error('the lock asks nothing else')),
    end: async () => {},
  };
  const sessions: LockSessions = { current: async () => session, close: async () => {} };
  return { asked, lock: createLock(sessions, 'eip155:1') };
}

test('a lock has the name of its network, is tried again while it is held, and is released', async (t) => {
  const { asked, lock } = open({ busy: 2 });
  t.is(await lock('signer', async () => 7), 7);
  const name = 'payments/eip155:1/signer';
  t.deepEqual(asked, [`try ${name}`, `try ${name}`, `try ${name}`, `unlock ${name}`]);
});

test('a session that fails refuses the work, and one that fails at the end changes nothing', async (t) => {
  const refused = open({ fails: true });
  await t.throwsAsync(
    refused.lock('signer', async () => t.fail()),
    { instanceOf: LockError, message: /could not be acquired/ },
  );
  t.is(await open({ unlockFails: true }).lock('signer', async () => 7), 7);
});

test('in one process, work waits for the work before it, also for one that fails', async (t) => {
  const { asked, lock } = open();
  const order: string[] = [];
  const first = lock('signer', async () => {
    order.push('first');
    await new Promise((resolve) => setImmediate(resolve));
    order.push('failed');
    throw new Error('no');
  });
  const second = lock('signer', async () => order.push('second'));
  await t.throwsAsync(first, { message: 'no' });
  await second;
  t.deepEqual(order, ['first', 'failed', 'second']);
  t.deepEqual(
    asked.map((each) => each.split(' ')[0]),
    ['try', 'unlock', 'try', 'unlock'],
  );
});
