import { readFileSync } from 'node:fs';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { Type } from 'typebox';
import { createReader } from '../../../scripts/launch/parse/json-reader.ts';
import { startChromium } from '../../kit/chromium.ts';
import { HANG_MS } from '../../kit/until.ts';

const AXE = readFileSync(new URL('../../../node_modules/axe-core/axe.min.js', import.meta.url), 'utf8');
const readViolations = createReader(
  Type.Array(Type.Object({ id: Type.String(), nodes: Type.Array(Type.Object({ html: Type.String() })) })),
  'the violations that axe found',
);

/** A page in a browser, with what went wrong on it so far. */
export interface Opened {
  readonly page: Page;
  /** Errors of scripts and of the policy, and requests to other servers. */
  readonly faults: readonly string[];
  close(): Promise<void>;
}

export interface Visitor {
  open(path: string, options?: BrowserContextOptions): Promise<Opened>;
  stop(): Promise<void>;
}

/**
 * Opens pages of a server in Chromium, each in a context of its own.
 * @param args more arguments of Chromium's command line
 */
export async function startVisitor(origin: string, ...args: readonly string[]): Promise<Visitor> {
  const browser: Browser = await startChromium(...args);
  return {
    async open(path, options = {}) {
      const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
      context.setDefaultTimeout(HANG_MS);
      const page = await context.newPage();
      const faults: string[] = [];
      page.on('pageerror', ({ message }) => faults.push(`script: ${message}`));
      page.on('console', (message) => {
        if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) {
          faults.push(`console: ${message.text()}`);
        }
      });
      page.on('request', (request) => {
        if (!/^(?:data|blob):/.test(request.url()) && !request.url().startsWith(`${origin}/`)) {
          faults.push(`request to ${request.url()}`);
        }
      });
      await page.goto(origin + path, { waitUntil: 'load' });
      return { page, faults, close: () => context.close() };
    },
    stop: () => browser.close(),
  };
}

/** What axe finds wrong, outside of the elements that match `except`. */
export async function violationsOf(page: Page, except: readonly string[] = []): Promise<readonly string[]> {
  await page.evaluate(AXE);
  const found: unknown = await page.evaluate(
    `axe.run({ exclude: ${JSON.stringify(except.map((selector) => [selector]))} }).then(({ violations }) => violations)`,
  );
  return readViolations(found).map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' ')}`);
}

/** Pixels by which the page is wider than its window. */
export const overflowOf = (page: Page): Promise<unknown> =>
  page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
