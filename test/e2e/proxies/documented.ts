import { readFileSync } from 'node:fs';
import type { ProxyName } from './programs.ts';

const PAGE = new URL('../../../docs/operations/proxies.md', import.meta.url);

/** What an operator has and a test has elsewhere. */
export interface Site {
  readonly port: number;
  /** Addresses of both gateways, such as 127.0.0.1:8402. */
  readonly gateways: readonly [string, string];
  /** Paths of PEM files: the certificate, its key, and both in one. */
  readonly cert: string;
  readonly key: string;
  readonly both: string;
}

type Replacements = readonly (readonly [string, string])[];

const LISTEN: Readonly<Record<ProxyName, (site: Site) => Replacements>> = {
  nginx: ({ port, cert, key }) => [
    ['listen 443 ', `listen 127.0.0.1:${port} `],
    ['server_name api.example.com', 'server_name localhost'],
    ['/etc/ssl/api.example.com.pem', cert],
    ['/etc/ssl/api.example.com.key', key],
  ],
  haproxy: ({ port, both }) => [
    ['bind :443 ', `bind 127.0.0.1:${port} `],
    ['/etc/ssl/api.example.com.both.pem', both],
  ],
  caddy: ({ port, cert, key }) => [['api.example.com {', `https://localhost:${port} {\n  tls ${cert} ${key}`]],
};

/** The configuration that the page gives for a proxy, with the addresses and paths of a test. */
export function documentedText(name: ProxyName, site: Site): string {
  const language = name === 'caddy' ? 'caddyfile' : name;
  const [first, second] = site.gateways;
  const replacements: Replacements = [...LISTEN[name](site), ['127.0.0.1:8402', first], ['127.0.0.1:8403', second]];
  let text = blockOf(language);
  for (const [printed, actual] of replacements) {
    if (!text.includes(printed)) throw new Error(`the configuration of ${name} has no ${printed}`);
    text = text.replaceAll(printed, actual);
  }
  return text;
}

/** The settings of the gateway that the page gives, with other public origins. */
export function documentedSettings(publicUrls: readonly string[]): Readonly<Record<string, string>> {
  const lines = blockOf('ini').trim().split('\n');
  const settings = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  );
  return { ...settings, PUBLIC_URLS: publicUrls.join(',') };
}

/** The only block of the page in a language. */
function blockOf(language: string): string {
  const blocks = [...readFileSync(PAGE, 'utf8').matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms'))];
  const [, text] = blocks[0] ?? [];
  if (text === undefined || blocks.length > 1) throw new Error(`the page must have one block in ${language}`);
  return text;
}
