const KEPT_SCHEMES = new Set(['http:', 'https:', 'mailto:', 'tel:']);

// Addresses that WHATWG URL does not change: a lower-case host whose last label is not a number, and no dot segments.
const SEGMENTS = String.raw`(?:/(?:[\w~!$&*+,;=:@-][\w.~!$&*+,;=:@%-]*)?)+`;
const QUERY_AND_FRAGMENT = String.raw`(?:\?[\w.~!$&*+,;=:@/?%-]*)?(?:#[\w.~!$&*+,;=:@/?%-]*)?`;
const PLAIN_ADDRESS = new RegExp(
  `^https?://(?:(?!xn--)[a-z0-9][a-z0-9-]*[.])+(?!xn--)[a-z]{2,}${SEGMENTS}${QUERY_AND_FRAGMENT}$`,
);
const PLAIN_PATH = new RegExp(`^(?!//)${SEGMENTS}${QUERY_AND_FRAGMENT}$`);

/** Resolves the addresses of one document against its `<base>` and the caller's `sourceUrl`. */
export function createLinkResolver(
  base: string | null,
  sourceUrl: string | undefined,
): (address: string) => string | null {
  const root = sourceUrl === undefined ? undefined : parse(sourceUrl);
  const resolved = (base === null ? undefined : parse(base, root)) ?? root;
  const origin = resolved === undefined ? null : readOrigin(resolved);
  const known = new Map<string, string | null>();

  const resolve = (address: string) => {
    // A browser removes these before it reads the scheme, so it would run `java\nscript:`.
    const trimmed = address.replace(/[\t\n\r]/g, '').replace(/^[\0-\x20]+|[\0-\x20]+$/g, '');
    if (trimmed === '') return null;
    if (trimmed.startsWith('#')) return encode(trimmed);
    const url = parse(trimmed, resolved);
    if (url !== undefined) return KEPT_SCHEMES.has(url.protocol) ? encode(url.href) : null;
    return /^[a-z][a-z0-9+.-]*:/i.test(trimmed) ? null : encode(trimmed);
  };

  return (address) => {
    if (PLAIN_ADDRESS.test(address)) return address;
    if (origin !== null && PLAIN_PATH.test(address)) return origin + address;
    let found = known.get(address);
    if (found === undefined) {
      found = resolve(address);
      known.set(address, found);
    }
    return found;
  };
}

/** The part of an http address before its path. Null for other schemes, whose paths may have another form. */
function readOrigin({ href, protocol }: URL): string | null {
  if (protocol !== 'http:' && protocol !== 'https:') return null;
  return encode(href.slice(0, href.indexOf('/', protocol.length + 2)));
}

function parse(address: string, base?: URL): URL | undefined {
  return URL.parse(address, base?.href) ?? undefined;
}

/** Escapes characters that would end a Markdown link destination or cannot be in an address. */
function encode(address: string): string {
  return address.replace(
    // biome-ignore lint/suspicious/noControlCharactersInRegex: it replaces control characters.
    /[\s\0-\x1f\x7f()<>\\`]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
  );
}
