import type { WorkerAnswer } from '../../../../services/platform/pools/pool.ts';
import type { GeocodingTask, GeocodingTasks } from '../../../../workers/geocoding/worker.ts';

/** Replaces the gazetteer's worker. It finds nothing, never ends a query for `spin`, and ends its thread for `die`. */
export default function run({ tasks }: GeocodingTasks): WorkerAnswer<readonly WorkerAnswer<readonly never[]>[]> {
  return { ok: true, value: tasks.map((task) => ({ ok: true, value: answer(task) })) };
}

function answer(task: GeocodingTask): readonly never[] {
  const query = task.kind === 'geocode' ? task.query.query : '';
  if (query === 'die') process.exit(1);
  if (query === 'spin') for (;;);
  return [];
}
