import test from 'ava';
import { AppError, toAppError, toEnvelope } from '../../../gateway/errors/app-error.ts';

test('an unknown error is INTERNAL, 500, and reveals nothing', (t) => {
  for (const thrown of [new Error('password=hunter2'), 'text', null, undefined, { code: 'EACCES' }]) {
    const error = toAppError(thrown);
    t.is(error.code, 'INTERNAL');
    t.is(error.statusCode, 500);
    t.false(JSON.stringify(toEnvelope(error, 'id')).includes('hunter2'));
  }
});

test('an application error is kept, with additional headers', (t) => {
  const error = new AppError('RATE_LIMITED', 'slowly', { headers: { 'retry-after': '1' } }).with({
    'x-trial-status': 'rejected',
  });
  t.is(toAppError(error), error);
  t.deepEqual(error.headers, { 'retry-after': '1', 'x-trial-status': 'rejected' });
  t.deepEqual(toEnvelope(error, 'id'), { error: { code: 'RATE_LIMITED', message: 'slowly', requestId: 'id' } });
});
