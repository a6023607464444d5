import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import test from 'ava';
import { MapsServiceClient } from '../../../proto/gen/tollhouse/maps/v1/maps.ts';
import { importPlaces } from '../../../scripts/cli/tollhouse/places/import-places.ts';
import { openPlacesFolder } from '../../../scripts/cli/tollhouse/places/places-folder.ts';
import { openChannels } from '../../../services/platform/grpc/grpc-client.ts';
import { openHealthProbe } from '../../../services/platform/grpc/grpc-health.ts';
import { entryPoint } from '../../kit/entry-point.ts';
import { HANG_MS, until } from '../../kit/until.ts';
import { answering, startUpstream } from '../../kit/upstream-server.ts';
import { CSV } from '../../scripts/cli/tollhouse/places/addresses.ts';

const root = mkdtempSync(join(tmpdir(), 'tollhouse own-'));
test.after.always(() => rmSync(root, { recursive: true, force: true }));

test('a service whose folder has a file that is not a set serves the others before its provider, and logs it once', async (t) => {
  const places = join(root, 'sets');
  const file = join(root, 'own.csv');
  writeFileSync(file, CSV);
  await importPlaces(openPlacesFolder(places), 'own', [file], () => undefined);
  writeFileSync(join(places, 'bad.places'), 'not a set');
  const feature = {
    type: 'Feature',
    properties: { type: 'city', name: 'Reykjavík', countrycode: 'IS' },
    geometry: { type: 'Point', coordinates: [-21.94, 64.15] },
  };
  const upstream = await startUpstream(t, answering({ type: 'FeatureCollection', features: [feature] }));
  const provider = {
    MAPS_PROVIDER: 'photon',
    MAPS_PROVIDER_URL: upstream.baseUrl.href,
  };
  const target = `unix:${root}/maps.sock`;
  const service = spawn(process.execPath, [entryPoint('services/maps/main.ts')], {
    env: { ...process.env, LISTEN: target, ...provider, MAPS_PLACES: places, MAPS_THREADS: '2', LOG_LEVEL: 'warn' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(service, 'exit');
  t.teardown(() => service.kill('SIGKILL'));
  const log = text(service.stdout);
  const probe = openHealthProbe(target);
  t.teardown(() => probe.close());
  await until(async () => (await probe.check(1000)) === 'serving');
  const channels = openChannels(MapsServiceClient, target);
  t.teardown(() => channels.close());
  const geocode = (query: string) => channels.call((client) => client.geocode, { query }, { timeoutMs: HANG_MS });
  for (let count = 0; count < 4; count++) {
    t.like((await geocode('12 av mal foch dijon')).results[0], { streetNumber: '12', locality: 'Dijon' });
  }
  const [found] = (await geocode('Reykjavik')).results;
  t.like(found, { country: 'Iceland', timeZone: 'Atlantic/Reykjavik', utcOffset: '+00:00' });
  upstream.behave(answering('', 500));
  await t.throwsAsync(geocode('Reykjavik'), { code: 'UPSTREAM_FAILURE' });
  t.is(await probe.check(1000), 'serving');
  service.kill('SIGTERM');
  await exited;
  const faults = (await log).split('\n').filter((line) => line.includes('bad.places'));
  t.is(faults.length, 1);
  t.regex(faults[0] ?? '', /a set of addresses cannot be read/);
});
