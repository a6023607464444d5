const HOST = /^\s*(?:https?:)?\/\/(?:www\.)?([^/?#:@]{1,253})/i;

/** The host of an absolute address in lower case, without `www.`. Null for other addresses. */
export function hostOf(address: string): string | null {
  return HOST.exec(address)?.[1]?.toLowerCase() ?? null;
}

/** The last two labels of a host: the parts of one site mostly share them. */
export function siteOf(host: string): string {
  return host.split('.').slice(-2).join('.');
}
