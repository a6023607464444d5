import type { WorkerAnswer } from '../../thread/worker-answer.ts';
import { answerTask } from './answer.ts';
import type { AuthoringAnswers, AuthoringTask, AuthoringTaskKind } from './tasks.ts';

/** Compiles and shows plans. Their texts come from tenants, so this does not run in the service's own thread. */
export default function run(task: AuthoringTask): WorkerAnswer<AuthoringAnswers[AuthoringTaskKind]> {
  return { ok: true, value: answerTask(task) };
}
