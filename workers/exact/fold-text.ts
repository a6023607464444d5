import { domainToASCII } from 'node:url';
import { valueAt } from './json-pointer.ts';

/** How the texts of an argument are folded, so that what means the same is written in one way only. */
export const FOLDS = ['trimmed', 'email'] as const;
export type Fold = (typeof FOLDS)[number];

/** Code points that are not shown, such as a byte order mark or a zero-width space (Unicode, `DerivedCoreProperties.txt`). */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu;
const OUTSIDE =
  /^[\p{White_Space}\p{Default_Ignorable_Code_Point}]+|[\p{White_Space}\p{Default_Ignorable_Code_Point}]+$/gu;

/**
 * The one spelling of a text. A folded text is its own folding.
 *
 * - `trimmed`: in Normalization Form C (Unicode Standard Annex 15), without white space and invisible code points at both
 *   ends.
 * - `email`: also without invisible code points anywhere, in lower case, and with the domain in ASCII (UTS 46). RFC 5321
 *   (section 2.4) lets a host tell `Ben` from `ben`, and discourages it. Dots and what follows a `+` remain: they are
 *   part of the mailbox's name, except at some hosts.
 */
export function foldText(text: string, fold: Fold): string {
  if (fold === 'trimmed') return text.normalize('NFC').replace(OUTSIDE, '');
  const address = text.replace(INVISIBLE, '').toLowerCase().normalize('NFC').replace(OUTSIDE, '');
  const at = address.lastIndexOf('@') + 1;
  return at === 0 ? address : address.slice(0, at) + toAscii(address.slice(at));
}

/** Whether a text is its own folding. Without a fold, every text is. */
export const isFolded = (text: string, fold: Fold | undefined): boolean =>
  fold === undefined || foldText(text, fold) === text;

/** The fold of a type that is not read: `{"type":"string","max":254,"fold":"email"}`. */
export const foldOfType = (type: unknown): Fold | undefined => FOLDS.find((fold) => fold === valueAt(type, '/fold'));

/** The domain as it is, if it is in ASCII already or is not a domain name. */
function toAscii(domain: string): string {
  return /^[\x21-\x7e]*$/.test(domain) ? domain : domainToASCII(domain) || domain;
}
