import { parentPort, workerData } from 'node:worker_threads';
import type { SmtQuery } from '../../../../workers/verdict/decide/smt-solver.ts';
import { openZ3 } from '../../../models/open-z3.ts';

const z3 = await openZ3();
parentPort?.postMessage((workerData as readonly SmtQuery[]).map((query) => z3.check(query)));
