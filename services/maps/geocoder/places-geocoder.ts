import type { ZonedAddress } from '../../../workers/geocoding/address/address.ts';
import type { SetFile, UnreadableSetCode } from '../../../workers/geocoding/addresses/address-sets.ts';
import type { GeocodingTask } from '../../../workers/geocoding/worker.ts';
import { runTask } from '../../platform/pools/run-task.ts';
import type { Logger } from '../../platform/process/logger.ts';
import type { GeocodingPool } from './gazetteer-geocoder.ts';
import type { Geocoder, GeocoderOptions } from './geocoder.ts';
import { watchSets } from './set-files.ts';

export interface PlacesOptions {
  readonly pool: GeocodingPool;
  /** Holds the sets of addresses. */
  readonly folder: string;
  /** Asked for what the sets do not have. */
  readonly next: Geocoder;
  readonly logger: Logger;
}

type OwnTask = Extract<GeocodingTask, { readonly sets: readonly SetFile[] }>;
/** The task without what is added here. */
type Question = OwnTask extends infer Task ? (Task extends unknown ? Omit<Task, 'sets' | 'atMs'> : never) : never;

const UNREADABLE_SET: UnreadableSetCode = 'UNREADABLE_SET';

/**
 * Own addresses first, and `next` for what they do not have. An unsure own address comes after the answers of `next`, because
 * the name of a town is often that of a street too. A file that cannot be read is logged once and left out.
 */
export function createPlacesGeocoder({ pool, folder, next, logger }: PlacesOptions): Geocoder {
  const sets = watchSets(folder);
  const ask = async (question: Question, { atMs, ...options }: GeocoderOptions): Promise<readonly ZonedAddress[]> => {
    for (;;) {
      const files = await sets.at(atMs);
      if (files.length === 0) return [];
      let unreadable: Unreadable | undefined;
      const watched = {
        run: async (task: GeocodingTask, settings: object) => {
          const answer = await pool.run(task, settings);
          unreadable = answer.ok || answer.code !== UNREADABLE_SET ? undefined : readUnreadable(files, answer.message);
          return unreadable === undefined ? answer : NOTHING;
        },
      };
      const found = await runTask(watched, { ...question, sets: files, atMs }, options);
      if (unreadable === undefined) return found;
      const { file, reason } = unreadable;
      if (sets.leaveOut(file)) logger.error({ file: file.file, reason }, 'a set of addresses cannot be read');
    }
  };
  return {
    geocode: async (query, context) => {
      const own = await ask({ kind: 'address', query }, context);
      if (own.some(({ confidence }) => confidence !== 'Low')) return own;
      const others = await next.geocode(query, context);
      return [...others, ...own].slice(0, query.limit);
    },
    reverse: async (query, context) => {
      const own = await ask({ kind: 'address-at', query }, context);
      return own.length > 0 ? own : next.reverse(query, context);
    },
  };
}

interface Unreadable {
  readonly file: SetFile;
  readonly reason: string;
}

const NOTHING = { ok: true, value: [] } as const;

function readUnreadable(files: readonly SetFile[], message: string): Unreadable {
  const [, index, reason] = /^(\d+) (.*)$/s.exec(message) ?? [];
  const file = files[Number(index)];
  if (file === undefined || reason === undefined) throw new Error(`a worker named no set of addresses: ${message}`);
  return { file, reason };
}
