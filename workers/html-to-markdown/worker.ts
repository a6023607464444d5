import { workerData } from 'node:worker_threads';
import type { WorkerAnswer } from '../thread/worker-answer.ts';
import { type HtmlDocument, htmlToMarkdown, type MarkdownDocument } from './html-to-markdown.ts';
import { loadPlugins, type PluginModule } from './load-plugins.ts';
import { messageOf, PluginRules } from './markdown/plugins/plugin-rules.ts';
import { ConversionError } from './parse/conversion-error.ts';

export interface HtmlBatch {
  readonly documents: readonly HtmlDocument[];
  /** Shared memory that is 1 while a plugin runs, so that the pool knows what exceeds a limit. */
  readonly running?: Int32Array | undefined;
}

/** One answer for each document, in their order. */
export type MarkdownBatch = readonly WorkerAnswer<MarkdownDocument>[];

/** What a thread is started with. */
export interface HtmlWorkerData {
  readonly plugins: readonly PluginModule[];
}

const plugins = openPlugins(workerData);

export default function convertAll({ documents, running }: HtmlBatch): WorkerAnswer<MarkdownBatch> {
  if (typeof plugins === 'string') return { ok: false, code: 'PLUGIN_FAILED', message: plugins };
  if (plugins !== undefined) plugins.running = running;
  return { ok: true, value: documents.map(convert) };
}

function convert(document: HtmlDocument): WorkerAnswer<MarkdownDocument> {
  try {
    return { ok: true, value: htmlToMarkdown(document, typeof plugins === 'string' ? undefined : plugins) };
  } catch (error) {
    if (error instanceof ConversionError) return { ok: false, code: error.code, message: error.message };
    throw error;
  }
}

/** @returns why they cannot be used, if they cannot */
function openPlugins(data: HtmlWorkerData | null | undefined): PluginRules | string | undefined {
  const modules = data?.plugins ?? [];
  try {
    return modules.length === 0 ? undefined : new PluginRules(loadPlugins(modules));
  } catch (error) {
    return messageOf(error);
  }
}
