import type { CallContext } from '../../platform/grpc/grpc-server.ts';
import { ServiceError } from '../../platform/grpc/service-error.ts';

/** A user in its source. */
export interface SourceUser {
  readonly id: string;
  readonly name: string | null;
  readonly email: string | null;
  readonly active: boolean;
}

export interface UserFilter {
  /** Folded. */
  readonly query: string | undefined;
  readonly active: boolean | undefined;
  /** Whether `query` also searches addresses. Callers who may not see addresses could otherwise guess them. */
  readonly seesEmail: boolean;
}

export interface UserQuery {
  readonly tenantId: string;
  readonly limit: number;
  /** Where the page before ended, in the source's own form. A caller may have forged it. */
  readonly position: string | undefined;
  readonly filter: UserFilter;
}

export interface UserPage {
  /** At most `limit` users. If the source cannot filter, there may be fewer although more follow. */
  readonly users: readonly SourceUser[];
  readonly next: string | undefined;
}

/** A source of a tenant's users. Pages have a fixed order. */
export interface UserSource {
  readonly kind: 'embedded' | 'hubspot';
  /** @throws {ServiceError} MALFORMED_INPUT for a malformed position, UPSTREAM_FAILURE, UPSTREAM_TIMEOUT, OVERLOADED */
  list(query: UserQuery, context: Pick<CallContext, 'signal' | 'deadlineMs'>): Promise<UserPage>;
}

/** The source of a tenant. */
export type UserSources = (tenantId: string) => UserSource;

/** Folds text for comparison. Not done in the database: its locale may fold only ASCII. */
export const fold = (text: string): string => text.normalize('NFKC').toLowerCase();

export function badCursor(): ServiceError {
  return new ServiceError(
    'MALFORMED_INPUT',
    '/cursor: is not of these users and this filter: send the next_cursor of the page before, or none to begin',
  );
}
