import type { Logger } from '../../platform/process/logger.ts';
import type { Database } from '../../store/database.ts';
import type { ToolList } from '../catalogue/tool-list.ts';
import type { LogKey } from '../contract/proof/key-file.ts';
import type { SigningKey } from '../proof/ed25519.ts';
import type { Authoring } from '../solver/authoring.ts';
import type { SolverPins } from '../solver/pins.ts';
import type { Solver } from '../solver/solver.ts';
import type { UserSources } from '../users/user-source.ts';

/** Dependencies of the operations. */
export interface OperationDeps {
  /** Connected in the service's own role. */
  readonly database: Database;
  readonly solver: Solver;
  readonly authoring: Authoring;
  readonly pins: SolverPins;
  readonly toolList: ToolList;
  /** How long after its plan expired an execution can be recorded. */
  readonly expiryGraceMs: number;
  readonly users: UserSources;
  readonly issuer: SigningKey;
  readonly log: LogKey<SigningKey>;
  readonly logger: Logger;
}
