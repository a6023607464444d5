import type { WorkerAnswer } from '../../../../services/platform/pools/pool.ts';
import type { GeocodingTask } from '../../../../workers/geocoding/worker.ts';

/** Replaces the gazetteer's worker. It finds nothing, and never ends a query for `spin`. */
export default function run(task: GeocodingTask): WorkerAnswer<readonly never[]> {
  if (task.kind === 'geocode' && task.query.query === 'spin') for (;;);
  return { ok: true, value: [] };
}
