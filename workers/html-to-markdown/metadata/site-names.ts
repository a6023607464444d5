import { hostOf } from './hosts.ts';
import { keyOf } from './plain-string.ts';

const MAX_ADDRESS_CHARACTERS = 500;
/** The folder of a theme in the address of a style sheet. */
const THEME = /\/themes\/([\w-]{2,40})\//;
/** Words that accounts of a site add to its name. */
const ADDED =
  /\s(?:official|team|staff|editors?|editorial|desk|admin|administrator|web|blog|news|store|shop|inc|ltd|llc|com)$/;
const ADDED_BEFORE = /^(?:the|team|admin)\s/;

/** The names of a site, of its publisher and of its theme, which are not authors. */
export class SiteNames {
  private readonly keys = new Set<string>();
  private readonly hosts = new Set<string>();

  constructor(names: readonly string[], addresses: readonly string[], styleSheets: readonly string[]) {
    for (const name of names) this.add(name);
    for (const address of addresses) this.addHost(address);
    for (const sheet of styleSheets) {
      const theme = THEME.exec(sheet.slice(0, MAX_ADDRESS_CHARACTERS))?.[1];
      if (theme !== undefined) this.add(theme);
    }
  }

  /** Whether a text is one of these names, or the host of the site with spaces. */
  isName(text: string): boolean {
    const key = keyOf(text);
    return this.keys.has(key) || this.hosts.has(key.replaceAll(' ', ''));
  }

  /** Whether a name is one of these names or an account with one, such as "Toll News Team". */
  has(name: string): boolean {
    const key = keyOf(name);
    if (this.keys.has(key)) return true;
    // A person may have a site with the own name as its host, so only one word is surely the site's.
    const isWord = !name.trim().includes(' ');
    return (isWord && this.hosts.has(key.replaceAll(' ', ''))) || this.hasAccount(name);
  }

  /** Whether a name is one of these names with a word such as "team" or "official". */
  hasAccount(name: string): boolean {
    let key = keyOf(name);
    for (;;) {
      const rest = key.replace(ADDED, '').replace(ADDED_BEFORE, '');
      if (rest === key) return false;
      if (this.keys.has(rest) || this.hosts.has(rest.replaceAll(' ', ''))) return true;
      key = rest;
    }
  }

  private add(name: string): void {
    const key = keyOf(name);
    if (key !== '') this.keys.add(key);
  }

  /** Adds a host with and without its last labels: `tollnewscouk` and `tollnews`. */
  private addHost(address: string): void {
    const host = hostOf(address.slice(0, MAX_ADDRESS_CHARACTERS));
    if (host === null || this.hosts.has(host)) return;
    this.hosts.add(host);
    const labels = host.replaceAll('-', '').split('.');
    this.hosts.add(labels.join(''));
    labels.pop();
    this.hosts.add(labels.reduce((longest, label) => (label.length > longest.length ? label : longest), ''));
  }
}

/** Whether the address of a style sheet names a theme. */
export function namesTheme(address: string): boolean {
  return THEME.test(address.slice(0, MAX_ADDRESS_CHARACTERS));
}
