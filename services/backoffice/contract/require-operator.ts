import { createHash, timingSafeEqual } from 'node:crypto';
import { defined } from '../../../workers/exact/defined.ts';
import { ServiceError } from '../../platform/grpc/service-error.ts';
import type { OperatorKeys } from './operator-keys.ts';

const BEARER = /^Bearer +(\S+)$/i;

/**
 * The name of the operator whose key a call presents. Every key is compared, each in constant time, so that the time
 * says nothing about the keys.
 * @throws {ServiceError} OPERATOR_KEY_REQUIRED
 */
export function requireOperator(keys: OperatorKeys, authorization: string | undefined): string {
  const presented = authorization === undefined ? null : BEARER.exec(authorization);
  if (presented === null) throw keyRequired();
  const hash = createHash('sha256').update(defined(presented[1])).digest();
  const [found] = keys.filter((known) => timingSafeEqual(known.hash, hash));
  if (found === undefined) throw keyRequired();
  return found.name;
}

const keyRequired = () => new ServiceError('OPERATOR_KEY_REQUIRED', 'this call needs the key of an operator');
