import { AUDIT } from './audit.ts';
import { BATCH } from './batch.ts';
import { CALL_KEYS } from './call-keys.ts';
import { CARRY } from './carry.ts';
import { CHARGE } from './charge.ts';
import { CLAIMS } from './claims.ts';
import { EARNINGS } from './earnings.ts';
import { PARTITIONS } from './partitions.ts';
import type { PlantedFile } from './planted-function.ts';
import { POST } from './post.ts';
import { PROBE } from './probe.ts';
import { READS } from './reads.ts';
import { RESERVE } from './reserve.ts';
import { SINGLE } from './single.ts';
import { VOID } from './void.ts';

export const PLANTED_FILES: readonly PlantedFile[] = [
  CHARGE,
  POST,
  VOID,
  RESERVE,
  SINGLE,
  CLAIMS,
  CALL_KEYS,
  CARRY,
  EARNINGS,
  PARTITIONS,
  BATCH,
  READS,
  PROBE,
  AUDIT,
];
