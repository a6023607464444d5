import type { World } from '../engine/world.ts';
import type { EmbeddedServer } from './embedded-server.ts';
import { asOwnTransaction, firstColumns, isFailed } from './wire.ts';

/** The PostgreSQL of one world. */
export interface SimulatedDatabase {
  /** Number of crashes until now. A connection belongs to one life. */
  readonly life: () => number;
  readonly isUp: () => boolean;
  /**
   * Runs one statement, which is one transaction. `isDurable`: whether its session waits for the disk, whatever the setting
   * of the server is. `isFlushed`: whether a commit that waits for the disk gets there.
   * @returns what the server answers
   */
  readonly run: (
    statement: Uint8Array,
    options?: { readonly isDurable?: boolean; readonly isFlushed?: boolean },
  ) => Buffer;
  /** Undoes a random number of the commits that are not on the disk, ends all connections, and starts again after a while. */
  readonly crash: (why: string) => void;
  /** @returns a way to stop listening */
  readonly onCrash: (listener: () => void) => () => void;
  /** Ends the world's transaction: everything that it did is undone. */
  readonly close: () => void;
}

export interface SimulatedDatabaseOptions {
  readonly world: World;
  readonly server: EmbeddedServer;
  /** The setting of the server, which a statement may change for itself. */
  readonly synchronousCommit: 'on' | 'off';
  /** Statements that plant a fault. */
  readonly plant: string;
}

const MIN_RESTART_MS = 20;
const MAX_RESTART_MS = 3000;
const READ_POSITION = 'SELECT pg_current_wal_insert_lsn()';

/**
 * A world is one transaction of the embedded server, and a commit is a savepoint: `c0` is the state of the disk, and `cN`
 * the state before the commit N after it. A statement is on the disk if it wrote something and `synchronous_commit` is on
 * when it ends: so decides PostgreSQL, and by then a function has made its choice with SET LOCAL. Commits share one log, so
 * everything before it is on the disk too.
 */
export function createSimulatedDatabase(options: SimulatedDatabaseOptions): SimulatedDatabase {
  const { world, server, synchronousCommit, plant } = options;
  const listeners = new Set<() => void>();
  let life = 0;
  let isUp = true;
  /** Commits that a crash may undo. */
  let commits = 0;

  const readFirst = (text: string) => firstColumns(server.command(text)).at(-1);
  const forgetSavepoints = () => {
    if (commits > 0) server.command('RELEASE SAVEPOINT c0');
    commits = 0;
  };

  server.command(`BEGIN; ${plant}`);
  return {
    life: () => life,
    isUp: () => isUp,
    run(statement, { isDurable = false, isFlushed = true } = {}) {
      const position = readFirst(`SAVEPOINT c${commits};
        SET LOCAL simulation.now = '${new Date(world.nowMs()).toISOString()}';
        SET LOCAL synchronous_commit = ${isDurable ? 'on' : synchronousCommit}; ${READ_POSITION}`);
      const answer = server.answer(statement);
      commits += 1;
      if (isFailed(answer)) {
        commits -= 1;
        server.command(`ROLLBACK TO SAVEPOINT c${commits}; RELEASE SAVEPOINT c${commits}`);
      } else {
        const isWritten = readFirst(READ_POSITION) !== position;
        if (isWritten && isFlushed && readFirst('SHOW synchronous_commit') === 'on') forgetSavepoints();
      }
      return asOwnTransaction(answer);
    },
    crash(why) {
      const kept = world.random.between(0, commits);
      world.note(() => `the database CRASHES: ${why}; ${commits - kept} of ${commits} commits are lost`);
      world.count('fault: crash of the database');
      if (kept < commits) world.count('fault: lost commits');
      if (kept < commits) server.command(`ROLLBACK TO SAVEPOINT c${kept}`);
      forgetSavepoints();
      life += 1;
      isUp = false;
      world.at(world.nowMs() + world.random.between(MIN_RESTART_MS, MAX_RESTART_MS), () => {
        isUp = true;
      });
      for (const listener of [...listeners]) listener();
    },
    onCrash(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close: () => void server.command('ROLLBACK'),
  };
}
