import test from 'ava';
import type { Static } from 'typebox';
import type * as client from '../../../gateway/client/plan-types.ts';
import type * as answers from '../../../services/verification/contract/answers.ts';
import type { RecordExecutionArguments } from '../../../services/verification/contract/arguments.ts';
import type { PreflightAnswer, PreflightArguments } from '../../../services/verification/contract/preflight.ts';
import type { ProofFile } from '../../../services/verification/contract/proof-file.ts';

/** Without the differences that a schema does not show: readonly, and one of several texts. */
type Plain<Type> = Type extends string
  ? string
  : Type extends object
    ? { -readonly [Member in keyof Type]: Plain<Type[Member]> }
    : Type;
type Same<One, Other> =
  (<T>() => T extends Plain<One> ? 1 : 2) extends <T>() => T extends Plain<Other> ? 1 : 2 ? true : never;

type Loose<Type, Name extends string> = Omit<Type, Name>;

/** The compiler judges this: a difference is a fault of its type. */
const same: [
  Same<client.CreatedPlan, Static<typeof answers.CreatePlanAnswer>>,
  Same<client.ApprovedPlan, Static<typeof answers.ApprovePlanAnswer>>,
  Same<client.Check, Static<typeof answers.CheckAnswer>>,
  Same<client.RecordedExecution, Static<typeof answers.RecordExecutionAnswer>>,
  Same<client.AttachedEvidence, Static<typeof answers.SubmitEvidenceAnswer>>,
  Same<Loose<client.Verification, 'pins'>, Loose<Static<typeof answers.VerifyExecutionAnswer>, 'pins'>>,
  Same<Loose<client.Preflight, 'limits'>, Loose<Static<typeof PreflightAnswer>, 'limits'>>,
  Same<client.NextAction, Static<typeof PreflightArguments>>,
  Same<client.Run, Loose<RecordExecutionArguments, 'alignment_check_id' | 'constraints_check_id'>>,
  Same<client.Proof, ProofFile>,
] = [true, true, true, true, true, true, true, true, true, true];

test('the types of plans are those of the service', (t) => t.true(same.every(Boolean)));
