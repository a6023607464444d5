import test from 'ava';
import { createByteBound } from '../../../../services/platform/grpc/byte-bound.ts';
import { ServiceError } from '../../../../services/platform/grpc/service-error.ts';

test('refuses more bytes than may wait, until earlier items are done', async (t) => {
  const hold = createByteBound(100);
  const first = Promise.withResolvers<string>();
  const held = hold(80, () => first.promise);
  const error = await t.throwsAsync(
    hold(21, async () => 'never'),
    { instanceOf: ServiceError },
  );
  t.is(error.code, 'RETENTION_UNAVAILABLE');
  t.is(await hold(20, async () => 'fits'), 'fits');
  first.resolve('done');
  t.is(await held, 'done');
  t.is(await hold(100, async () => 'all'), 'all');
  await t.throwsAsync(hold(100, () => Promise.reject(new Error('failed'))));
  t.is(await hold(100, async () => 'given back'), 'given back');
});
