// Prints the time that a process needs to start the given number of geocoding threads, and its peak memory after all
// queries.
import { readGazetteer } from '../../../../services/maps/geocoder/gazetteer-files.ts';
import { createGeocodingPool } from '../../../../services/maps/geocoder/geocoding-pool.ts';
import { loadMapQueries } from './map-queries.ts';

const threads = Number(process.argv[2]);
const pool = createGeocodingPool({ threads, maxQueue: 10_000, workerData: await readGazetteer() });
const atMs = Date.now();
await Promise.all(
  Array.from({ length: threads }, () => pool.run({ kind: 'geocode', query: { query: 'Rome', limit: 1 }, atMs })),
);
// `performance.now` counts from the start of the process.
const readyMs = performance.now();
const { forward, reverse } = loadMapQueries();
for (let round = 0; round < 10; round += 1) {
  await Promise.all([
    ...forward.map((query) => pool.run({ kind: 'geocode', query, atMs })),
    ...reverse.map((query) => pool.run({ kind: 'reverse', query, atMs })),
  ]);
}
console.log(JSON.stringify({ readyMs, megabytes: process.resourceUsage().maxRSS / 1024 }));
await pool.close();
