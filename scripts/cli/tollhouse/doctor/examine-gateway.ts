import { readHealth } from '../../../launch/health.ts';
import { type Finding, failure, ok, warning } from './finding.ts';

const LOOK_AT_PAYMENTS = 'see the checks of the ledger, and the log of services/payments';
const RESTORE_KEY = 'restore FINGERPRINT_KEY from a backup; if it is lost, run tollhouse calls forget-key';

const actionFor = (found: string, otherwise: string) => (found.startsWith('FINGERPRINT_KEY') ? RESTORE_KEY : otherwise);

export async function examineGateway(origin: string): Promise<readonly Finding[]> {
  const { isReady, trials, payments, unavailable, text } = await readHealth(origin);
  const check = 'gateway.ready';
  if (trials === 'unknown') {
    return [failure(check, `${origin} does not answer: ${text}`, 'start the gateway, or give its address with --url')];
  }
  const services = unavailable.map((name) =>
    failure(`service.${name}`, 'the gateway does not reach it', `start services/${name}, or look at its log`),
  );
  const gateway = isReady ? ok(check, `${origin} serves`) : warning(check, `${origin} is not ready`, 'see below');
  const credit =
    trials === 'available'
      ? ok('gateway.trials', trials)
      : warning('gateway.trials', trials, actionFor(trials, 'see the checks of the ledger and of redis'));
  if (payments === undefined) return [gateway, ...services, credit];
  const claims =
    payments === 'available'
      ? ok('gateway.payments', payments)
      : failure('gateway.payments', payments, actionFor(payments, LOOK_AT_PAYMENTS));
  return [gateway, ...services, credit, claims];
}
