import { status } from '@grpc/grpc-js';
import test, { type ExecutionContext } from 'ava';
import { createGazetteerGeocoder } from '../../../services/maps/geocoder/gazetteer-geocoder.ts';
import { createGeocodingPool } from '../../../services/maps/geocoder/geocoding-pool.ts';
import { CallError } from '../../../services/platform/grpc/grpc-client.ts';
import { serveDuring } from './serve.ts';

const SPIN = { query: 'spin' };
const worker = new URL('./spinning/worker.ts', import.meta.url);

async function start(t: ExecutionContext, maxQueue = 8) {
  const pool = createGeocodingPool({ worker, threads: 1, maxQueue });
  const { channels, client } = await serveDuring(t, createGazetteerGeocoder(pool));
  t.teardown(() => pool.close());
  const ask = (query: string, timeoutMs = 20_000) => channels.call((stub) => stub.geocode, { query }, { timeoutMs });
  return { ask, client };
}

test('a deadline ends the query in its thread, which takes the next query', async (t) => {
  const { ask } = await start(t);
  const error = await t.throwsAsync(ask('spin', 300), { instanceOf: CallError });
  t.is(error.status, status.DEADLINE_EXCEEDED);
  await t.notThrowsAsync(ask('Rome'));
});

test('a caller that cancels ends the query in its thread', async (t) => {
  const { ask, client } = await start(t);
  const cancelled = new Promise((resolve) => {
    const call = client.geocode(SPIN, (error) => resolve(error?.code));
    call.cancel();
  });
  t.is(await cancelled, status.CANCELLED);
  await t.notThrowsAsync(ask('Rome'));
});

test('a stream that its caller cancels leaves no work behind', async (t) => {
  const { ask, client } = await start(t);
  const stream = client.geocodeStream();
  stream.on('error', () => {});
  for (let id = 0n; id < 4n; id += 1n) stream.write({ id, items: [SPIN] });
  stream.write({ id: 4n, items: [SPIN] }, () => stream.cancel());
  await t.notThrowsAsync(ask('Rome'));
});

test('refuses more queries than may wait with RESOURCE_EXHAUSTED, OVERLOADED', async (t) => {
  const { ask } = await start(t, 2);
  // Both channels connect and the thread starts before the time limit of the queries below begins.
  for (let calls = 0; calls < 4; calls += 1) await ask('Rome');
  const failing = Array.from({ length: 8 }, () => t.throwsAsync(ask('spin', 1000), { instanceOf: CallError }));
  const refused = (await Promise.all(failing)).filter(({ code }) => code === 'OVERLOADED');
  t.is(refused.length, 8 - 1 - 2);
  t.true(refused.every((error) => error.status === status.RESOURCE_EXHAUSTED));
});
