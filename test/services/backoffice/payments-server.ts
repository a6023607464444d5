import {
  type PaymentsServiceServer,
  PaymentsServiceService,
  SettlementOutcome,
} from '../../../proto/gen/tollhouse/payments/v1/payments.ts';
import { type GrpcServer, startGrpcServer, unary } from '../../../services/platform/grpc/grpc-server.ts';
import { createLogger } from '../../../services/platform/process/logger.ts';

/** Starts a gRPC server with the two methods that a back office calls. Every claim has the outcome SETTLED. */
export async function startPaymentsServer(listen: string, network: string): Promise<GrpcServer> {
  const logger = createLogger({ name: 'payments', level: 'silent' });
  const terms = {
    network,
    asset: '',
    assetName: '',
    assetVersion: '',
    payTo: '',
    maxTimeoutSeconds: 180,
    sandbox: true,
  };
  const implementation: Pick<PaymentsServiceServer, 'getTerms' | 'resolve'> = {
    getTerms: unary(logger, async () => terms),
    resolve: unary(logger, async () => ({ outcome: SettlementOutcome.SETTLEMENT_OUTCOME_SETTLED })),
  };
  const server = await startGrpcServer({
    listen,
    service: PaymentsServiceService,
    implementation,
    logger,
  });
  server.setReady(true);
  return server;
}
