import { type Facilitator, FacilitatorError } from '../facilitator/facilitator.ts';
import type { Sandbox } from './sandbox.ts';

/**
 * Makes sure that the sandbox chain is set up before a refusal counts. A chain that was restarted is empty and refuses
 * everyone. A refusal means that nothing was sent, so a second attempt is harmless.
 */
export function createSureFacilitator(
  facilitator: Facilitator,
  { prepare, refresh }: Pick<Sandbox, 'prepare' | 'refresh'>,
): Facilitator {
  return {
    ...facilitator,
    async verify(payment) {
      await refresh();
      const verification = await facilitator.verify(payment);
      if (verification.ok) return verification;
      await prepare().catch((cause: unknown) => {
        throw new FacilitatorError('the sandbox chain is not set up', { cause });
      });
      return facilitator.verify(payment);
    },
    async settle(payment, beforeSending) {
      const report = await facilitator.settle(payment, beforeSending);
      if (report.kind !== 'refused') return report;
      const isPrepared = await prepare().then(
        () => true,
        () => false,
      );
      return isPrepared ? facilitator.settle(payment, beforeSending) : { kind: 'unsent' };
    },
  };
}
