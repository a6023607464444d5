import type { WorkerAnswer } from '../thread/worker-answer.ts';
import { type HtmlDocument, htmlToMarkdown, type MarkdownDocument } from './html-to-markdown.ts';
import { ConversionError } from './parse/conversion-error.ts';

export interface HtmlBatch {
  readonly documents: readonly HtmlDocument[];
}

/** One answer for each document, in their order. */
export type MarkdownBatch = readonly WorkerAnswer<MarkdownDocument>[];

export default function convertAll({ documents }: HtmlBatch): WorkerAnswer<MarkdownBatch> {
  return { ok: true, value: documents.map(convert) };
}

function convert(document: HtmlDocument): WorkerAnswer<MarkdownDocument> {
  try {
    return { ok: true, value: htmlToMarkdown(document) };
  } catch (error) {
    if (error instanceof ConversionError) return { ok: false, code: error.code, message: error.message };
    throw error;
  }
}
