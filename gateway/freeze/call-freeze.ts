import { AppError } from '../errors/app-error.ts';

/** Whether new paid and trial calls are taken. Calls that run, and what was paid before, go on in any case. */
export interface CallFreeze {
  /**
   * `unknown`: the back office has not answered yet since this process started. `other_key`: this gateway would not know
   * again what was paid before, so it takes no payment at all.
   */
  state(): CallState;
}

export type CallState = 'open' | 'frozen' | 'unknown' | 'other_key';

const RETRY_AFTER_S = 30;

/** Why a new call is refused now; undefined if it is not. */
export function findFreeze({ state }: CallFreeze): AppError | undefined {
  switch (state()) {
    case 'open':
      return undefined;
    case 'frozen':
      return callsFrozen();
    case 'other_key':
      return new AppError('SERVICE_UNAVAILABLE', 'the operator has set this gateway up in another way than the others');
    case 'unknown':
      return new AppError('SERVICE_UNAVAILABLE', 'a service that every call needs has not answered yet', {
        headers: { 'retry-after': '1' },
      });
  }
}

/** Whether this gateway can tell if a payment came before. @throws {AppError} SERVICE_UNAVAILABLE */
export function assertKnowsPayments(freeze: CallFreeze): void {
  if (freeze.state() === 'other_key') assertNotFrozen(freeze);
}

/** @throws {AppError} CALLS_FROZEN, SERVICE_UNAVAILABLE */
export function assertNotFrozen(freeze: CallFreeze): void {
  const refusal = findFreeze(freeze);
  if (refusal !== undefined) throw refusal;
}

export const callsFrozen = (cause?: unknown): AppError =>
  new AppError('CALLS_FROZEN', 'the operator has stopped new calls; nothing was executed or charged', {
    cause,
    headers: { 'retry-after': String(RETRY_AFTER_S) },
  });
