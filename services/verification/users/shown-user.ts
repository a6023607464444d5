import { defined } from '../../../workers/exact/defined.ts';
import type { User } from '../contract/users.ts';
import { fold, type SourceUser } from './user-source.ts';

const HIDDEN = '•••';

/** The part of a user that a caller may see. */
export function showUser({ id, name, email, active }: SourceUser, seesEmail: boolean): User {
  return {
    id,
    name: seesEmail ? name : withoutAddress(name),
    email: seesEmail || email === null ? email : maskEmail(email),
    email_masked: !seesEmail && email !== null,
    active,
  };
}

/** Shows the first character and the domain. The mask between has a fixed length, so it does not reveal the length. */
export function maskEmail(email: string): string {
  const at = email.lastIndexOf('@');
  if (at < 1) return HIDDEN;
  const [first] = email;
  return `${defined(first)}${HIDDEN}${email.slice(at)}`;
}

/** Some CRMs use the address as the name of a user without a name. */
export function withoutAddress(name: string | null): string | null {
  return name !== null && fold(name).includes('@') ? null : name;
}
