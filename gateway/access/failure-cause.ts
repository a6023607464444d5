import type { AppError } from '../errors.ts';

/** Whether the caller's request made the operation fail, and not one of our services. */
export function isCausedByCaller(error: AppError): boolean {
  return error.statusCode < 500;
}
