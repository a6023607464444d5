import { status } from '@grpc/grpc-js';
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import type { PaymentsClient } from '../../services/payments/contract/client.ts';
import { CallError } from '../../services/platform/grpc/grpc-client.ts';
import { defined } from '../../workers/exact/defined.ts';
import { AppError } from '../errors/app-error.ts';
import { createValidator } from '../operations/operation/validator.ts';

const FUND_TIMEOUT_MS = 10_000;

const FaucetRequest = Type.Object(
  { address: Type.String({ pattern: '^0x[0-9a-fA-F]{40}$', description: 'EVM address' }) },
  { additionalProperties: false },
);

/** `POST /sandbox/faucet`: play money for a wallet. The route exists only in the sandbox. */
export function registerFaucet(app: FastifyInstance, payments: PaymentsClient): void {
  const { faultOf, isValid } = createValidator(FaucetRequest);
  app.post('/sandbox/faucet', { schema: { hide: true } }, async (request) => {
    const { body } = request;
    if (!isValid(body)) throw new AppError('INVALID_REQUEST', defined(faultOf(body)));
    const { address } = body;
    try {
      const { balance, transaction } = await payments.fund(address, {
        requestId: request.id,
        timeoutMs: FUND_TIMEOUT_MS,
      });
      return { address, balanceAtomic: balance, transaction };
    } catch (error) {
      if (error instanceof CallError && error.status === status.INVALID_ARGUMENT) {
        throw new AppError('INVALID_REQUEST', error.message, { cause: error });
      }
      throw new AppError('UPSTREAM_FAILURE', 'the sandbox chain did not fund the wallet', { cause: error });
    }
  });
}
