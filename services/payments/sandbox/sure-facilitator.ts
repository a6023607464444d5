import { type Facilitator, FacilitatorError } from '../facilitator/facilitator.ts';

/**
 * A sandbox chain that was started again is empty until it is set up, and refuses everyone: a refusal counts when the
 * chain is known to be set up. It means that nothing was sent, so that asking again is harmless.
 */
export function createSureFacilitator(options: {
  readonly facilitator: Facilitator;
  readonly prepare: () => Promise<void>;
}): Facilitator {
  const { facilitator, prepare } = options;
  return {
    ...facilitator,
    async verify(payment) {
      const verification = await facilitator.verify(payment);
      if (verification.ok) return verification;
      await prepare().catch((cause: unknown) => {
        throw new FacilitatorError('the sandbox chain is not set up', { cause });
      });
      return facilitator.verify(payment);
    },
    async settle(payment, beforeSending) {
      const claim = await facilitator.settle(payment, beforeSending);
      if (claim.kind !== 'refused') return claim;
      const isPrepared = await prepare().then(
        () => true,
        () => false,
      );
      return isPrepared ? facilitator.settle(payment, beforeSending) : { kind: 'unsent' };
    },
  };
}
