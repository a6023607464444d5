import { withoutAgencies } from './agencies.ts';
import { withoutLabel } from './byline-labels.ts';
import { repairEncoding } from './encoding.ts';
import { decodeReferences, toPlainString } from './plain-string.ts';

/** A name that a source gives. */
export interface Credit {
  readonly name: string;
  /** Whether a label says that this is the author: "By", "Written by". */
  readonly isLabelled: boolean;
}

const MAX_CHARACTERS = 100;
const MAX_USER_WORDS = 4;
const MAX_SOURCE_CHARACTERS = 1000;

/** The text after a name: a date, a column, a title. Not a sign that may be half of a misread letter. */
const AFTER =
  /\s*(?:(?<![\u00c2-\u00c5])[|·•–—/(»]|\s-\s|\b(?:on|at|in|for|from)\s|\b(?:posted|published|updated|reviewed|edited)(?:\s|$)|\blast\s+(?:updated|modified|edited|reviewed|revised|changed)\b|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?\s+\d|\d{1,2}[./-]\d{1,2}[./-]\d{2}|\d{1,2}\.?\s\S{3,12}\s\d{4}|\d{4}-\d).*$/iu;
const ENDING_SIGNS = /[\s,;:]+$/u;
/** A full stop that ends a sentence, not an initial or "Jr.". */
const FULL_STOP = /(?<![\s.-]\p{Lu}|\s[JS]r)[\s.]*\.$/u;
/** Commas between names. */
const COMMA = /\s*,\s+(?!(?:[JS]r|I{2,3}|IV)\b)/u;
/** What a page says about a text, after the name. */
const STATE = /\s(?:posted|published|updated)$/i;
/** Addresses after a name. */
const CONTACT = /^([^<(@]*\p{L}[^<(@]*?)\s*(?:[<(]\s*[^\s<>()]+@|,\s*https?:).*$/u;
/** Words of roles, which may come after a comma like a further name. */
const ROLE =
  /\b(?:editors?|writers?|reporters?|correspondents?|columnists?|contributors?|authors?|staff|directors?|managers?|professors?|educators?|specialists?|analysts?|engineers?|consultants?|officers?|presidents?|founders?|chief|senior|head|lead|guest|ph\.?d|m\.?d|mba|rn|inc|llc|jr|sr)\b/i;
const NOT_A_NAME =
  /^(?:https?:|www\.|@|by$)|\S@\S|^(?:guest|unknown|anonymous|null|undefined|n\/a|none|authors?|editor|editors|staff|team|editorial team|user|default|contributors?)$|\bcontributors$|^[\p{L}\d-]+\.(?:com|org|net|info|edu|gov|io|co|tv|co\.uk)$|^[^\p{L}]*$/iu;
/** Accounts that run a site. */
const ACCOUNT =
  /(?:^|[\s_.-])(?:admin|administrator|webmaster|superuser|super user|sysop)(?:$|[\s\d_.-])|^(?:wp|site|web|sys|super|my|the|blog|forum)?admin(?:istrator)?s?\d*$/iu;
/** Words of a page's controls and of its empty templates. */
const CONTROL =
  /^(?:(?:sign|log)[\s-]?(?:in|up|out|on)|register|join|subscribe|follow|share|search|menu|home|back|next|more|read more|show more|view|view (?:all|profile)|profile|account|my account|comments?|reply|contact|about|category|categories|tags?|topics?|date|title|e-?mail|website|(?:your |first |last |full |author |user ?|display )?name|anmelden|einloggen|registrieren|connexion|se connecter|iniciar sesión|acceder|entrar|accedi|inloggen|logga in)$/iu;
const PARTICLE =
  /^(?:de|da|do|dos|das|di|del|della|der|den|des|du|van|von|vom|zu|la|le|el|al|bin|ibn|ben|und|and|et|y|e|och|og|af|av|ter|ten|of|the|&)$/iu;

/** A name that a source states for machines. Null if it is not of a person, such as "admin". */
export function cleanName(text: string): string | null {
  const name = withoutAgencies(creditIn(text).name.replace(STATE, '').replace(CONTACT, '$1'));
  return name === '' || name.length > MAX_CHARACTERS || isNoName(name) ? null : name;
}

/** Names in text for readers, without the roles, dates and labels around them. Null if the text does not look like names. */
export function findName(text: string): Credit | null {
  const { name: credit, isLabelled } = creditIn(text);
  const name = withoutAgencies(credit);
  const [first = '', ...others] = beforeDates(name).split(COMMA);
  if (cleanName(first) === null || !looksLikeName(first)) return null;
  const end = others.findIndex((other) => ROLE.test(other) || !other.includes(' ') || !looksLikeName(other));
  const names = [first, ...(end < 0 ? others : others.slice(0, end))].join(', ');
  return { name: names.length > MAX_CHARACTERS ? first : names, isLabelled };
}

/** A name that a user chose. It may have any form, but has few words. */
export function findUserName(text: string): string | null {
  const { name } = creditIn(text);
  const found = cleanName(beforeDates(name));
  return found === null || found.split(' ').length > MAX_USER_WORDS ? null : found;
}

function isNoName(text: string): boolean {
  return NOT_A_NAME.test(text) || ACCOUNT.test(text) || CONTROL.test(text);
}

function beforeDates(text: string): string {
  return text.replace(AFTER, '').replace(ENDING_SIGNS, '').replace(FULL_STOP, '');
}

/** The text without its label. The name is '' if nothing else is there. */
function creditIn(source: string): Credit {
  const text =
    toPlainString(repairEncoding(decodeReferences(source.slice(0, MAX_SOURCE_CHARACTERS))), MAX_SOURCE_CHARACTERS) ??
    '';
  const name = withoutLabel(text);
  return { name, isLabelled: name !== text };
}

/** Whether the text has few words and each begins with a capital letter, except particles and "and". */
function looksLikeName(text: string): boolean {
  const words = text.split(' ');
  if (text.length > MAX_CHARACTERS || words.length > 12) return false;
  let capitals = 0;
  for (const word of words) {
    if (/^[\p{Lu}\p{Lt}\p{Lo}]/u.test(word)) capitals += 1;
    else if (!PARTICLE.test(word)) return false;
  }
  return capitals > 0 && words.length - capitals <= capitals + 1;
}
