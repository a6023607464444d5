import type { User } from '../contract/users.ts';
import { fold, type SourceUser } from './user-source.ts';

const HIDDEN = '•••';

/** A user as a caller may see it. */
export function showUser({ id, name, email, active }: SourceUser, seesEmail: boolean): User {
  return {
    id,
    name: seesEmail ? name : withoutAddress(name),
    email: seesEmail || email === null ? email : maskEmail(email),
    email_masked: !seesEmail && email !== null,
    active,
  };
}

/** The first character and the domain; of fixed length between, so that nothing is told of what is hidden. */
export function maskEmail(email: string): string {
  const at = email.lastIndexOf('@');
  const [first = ''] = email;
  return at < 1 ? HIDDEN : `${first}${HIDDEN}${email.slice(at)}`;
}

/** Some CRMs give the address for a name where they know none. */
export function withoutAddress(name: string | null): string | null {
  return name !== null && fold(name).includes('@') ? null : name;
}
