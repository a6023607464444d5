import type { CallContext } from '../../platform/grpc/grpc-server.ts';
import { ServiceError } from '../../platform/grpc/service-error.ts';

/** A user as the source has it. */
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
  /** Whether `query` may be found in an address: else whoever may not see addresses could guess them bit by bit. */
  readonly seesEmail: boolean;
}

export interface UserQuery {
  readonly tenantId: string;
  readonly limit: number;
  /** Where the page before ended, in the source's own words; a caller may have made it up. */
  readonly position: string | undefined;
  readonly filter: UserFilter;
}

export interface UserPage {
  /** At most `limit`; fewer, though more follow, where the source cannot filter. */
  readonly users: readonly SourceUser[];
  readonly next: string | undefined;
}

/** Where a tenant's users are. Pages are in a fixed order. */
export interface UserSource {
  readonly kind: 'embedded' | 'hubspot';
  /** @throws {ServiceError} MALFORMED_INPUT for a position that is none, UPSTREAM_FAILURE, UPSTREAM_TIMEOUT, OVERLOADED */
  list(query: UserQuery, context: Pick<CallContext, 'signal' | 'deadlineMs'>): Promise<UserPage>;
}

/** The source of a tenant. */
export type UserSources = (tenantId: string) => UserSource;

/** The form in which text is compared: here and not in the database, whose locale may know ASCII alone. */
export const fold = (text: string): string => text.normalize('NFKC').toLowerCase();

export function badCursor(): ServiceError {
  return new ServiceError(
    'MALFORMED_INPUT',
    '/cursor: is not of these users and this filter: send the next_cursor of the page before, or none to begin',
  );
}
